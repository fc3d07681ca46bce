// SVG as data. It becomes text where there is no browser, too, and elements of a page where there is one.

export interface Shape {
  tag: string;
  attributes: Record<string, string | number>;
  /** Shapes, text, or a drawing that is SVG already. */
  children: (Shape | string | { markup: string })[];
}

export const shape = (tag: string, attributes: Shape['attributes'] = {}, ...children: Shape['children']): Shape => ({ tag, attributes, children });

/** What XML 1.0 has no way to hold is left out. */
const quoted = (text: string): string =>
  text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '').replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;');

export function svgText({ tag, attributes, children }: Shape): string {
  const named = Object.entries(attributes).map(([name, value]) => ` ${name}="${quoted(String(value))}"`).join('');
  const inside = children.map((c) => (typeof c === 'string' ? quoted(c) : 'markup' in c ? c.markup : svgText(c))).join('');
  return `<${tag}${named}>${inside}</${tag}>`;
}

export function svgElement({ tag, attributes, children }: Shape): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  for (const c of children) {
    if (typeof c === 'string') element.append(c);
    else if (!('markup' in c)) element.append(svgElement(c));
  }
  return element;
}
