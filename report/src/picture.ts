// A figure as one picture that stands by itself: title, machine, protocol, charts, legend, notes and date.

import { echarts } from './charts/echarts';
import { legendColors } from './charts/heat';
import type { Drawing, LegendEntry } from './charts/kit';
import { markHeight, markOf, markWidth, svgElement } from './charts/mark';
import type { Theme } from './theme';

export interface Key {
  least: string;
  most: string;
  /** How far up the colours the greatest value stands. */
  share: number;
}

export interface Parts {
  title: string;
  /** Below the title: the machines with their dates, what was chosen, where the figure is from. */
  about: string[];
  panels: { name: string; drawing: Drawing }[];
  legend: LegendEntry[];
  key: Key | null;
  notes: string[];
}

const edge = 24;
const gap = 24;

/** Of one chart, or of each of two beside each other. */
export const pictureWidth = (panels: number): number => (panels > 1 ? 480 : 800);

/** Text in lines no wider than this. */
function wrapped(text: string, width: number, size: number, theme: Theme, weight = 400): string[] {
  const pen = document.createElement('canvas').getContext('2d')!;
  pen.font = `${weight} ${size}px ${theme.font}`;
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines[lines.length - 1];
    if (last !== undefined && pen.measureText(`${last} ${word}`).width <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

const textWidth = (text: string, size: number, theme: Theme): number => {
  const pen = document.createElement('canvas').getContext('2d')!;
  pen.font = `${size}px ${theme.font}`;
  return pen.measureText(text).width;
};

/** Grows downwards as things are put into it. */
class Sheet {
  readonly content: SVGElement[] = [];
  y = edge;

  constructor(readonly width: number, readonly theme: Theme) {}

  text(text: string, size: number, className: string, { color = this.theme.ink, weight = 400, after = 0 } = {}): void {
    for (const line of wrapped(text, this.width - 2 * edge, size, this.theme, weight)) {
      this.y += size * 1.3;
      this.content.push(svgElement('text', { class: className, x: edge, y: this.y - size * 0.25, 'font-size': size, 'font-weight': weight, fill: color },
        line));
    }
    this.y += after;
  }

  panels(panels: Parts['panels']): void {
    const columns = panels.length > 1 ? 2 : 1;
    for (let i = 0; i < panels.length; i += columns) {
      const row = panels.slice(i, i + columns);
      const named = panels.length > 1 ? 22 : 0;
      row.forEach((p, column) => {
        const x = edge + column * (pictureWidth(panels.length) + gap);
        if (named) this.content.push(svgElement('text', { class: 'panel-name', x, y: this.y + 13, 'font-size': 13, 'font-weight': 600,
          fill: this.theme.ink }, p.name));
        const chart = chartOf(p.drawing, pictureWidth(panels.length));
        chart.setAttribute('x', String(x));
        chart.setAttribute('y', String(this.y + named));
        this.content.push(chart);
      });
      this.y += named + Math.max(...row.map((p) => Math.ceil(p.drawing.height))) + 12;
    }
  }

  legend(entries: LegendEntry[]): void {
    if (entries.length === 0) return;
    const group = svgElement('g', { class: 'legend' });
    let x = edge;
    for (const entry of entries) {
      const wide = markWidth + 6 + textWidth(entry.name, 12, this.theme) + 18;
      if (x > edge && x + wide > this.width - edge) {
        x = edge;
        this.y += 19;
      }
      const mark = markOf(entry);
      mark.setAttribute('transform', `translate(${x},${this.y + 9 - markHeight / 2})`);
      group.append(mark, svgElement('text', { x: x + markWidth + 6, y: this.y + 13, 'font-size': 12, fill: this.theme.ink }, entry.name));
      x += wide;
    }
    this.content.push(group);
    this.y += 26;
  }

  key({ least, most, share }: Key): void {
    const group = svgElement('g', { class: 'legend' });
    const from = edge + textWidth(least, 12, this.theme) + 8;
    const colors = legendColors(share, 40);
    const step = 240 / colors.length;
    group.append(svgElement('text', { x: edge, y: this.y + 13, 'font-size': 12, fill: this.theme.ink }, least));
    colors.forEach((fill, i) => group.append(svgElement('rect', { x: from + i * step, y: this.y + 3, width: step + 0.5, height: 12, fill })));
    group.append(svgElement('text', { x: from + 248, y: this.y + 13, 'font-size': 12, fill: this.theme.ink }, most));
    this.content.push(group);
    this.y += 26;
  }

  done(): SVGSVGElement {
    const height = Math.ceil(this.y + edge);
    const svg = svgElement('svg', { xmlns: 'http://www.w3.org/2000/svg', width: this.width, height, viewBox: `0 0 ${this.width} ${height}`,
      'font-family': this.theme.font }) as SVGSVGElement;
    svg.append(svgElement('rect', { width: this.width, height, fill: this.theme.paper }), ...this.content);
    return svg;
  }
}

/** The chart as elements: a serializer then quotes what has to be quoted. */
function chartOf(drawing: Drawing, width: number): SVGElement {
  const holder = document.createElement('div');
  const chart = echarts.init(holder, null, { renderer: 'svg', width: Math.max(width, drawing.minWidth ?? 0), height: Math.ceil(drawing.height) });
  chart.setOption(drawing.option);
  const svg = holder.querySelector('svg')!.cloneNode(true) as SVGElement;
  chart.dispose();
  svg.removeAttribute('style');
  return svg;
}

export function pictureOf(parts: Parts, theme: Theme): SVGSVGElement {
  const columns = parts.panels.length > 1 ? 2 : 1;
  const inner = Math.max(columns * pictureWidth(parts.panels.length) + (columns - 1) * gap, ...parts.panels.map((p) => p.drawing.minWidth ?? 0));
  const sheet = new Sheet(inner + 2 * edge, theme);
  sheet.text(parts.title, 20, 'title', { weight: 650, after: 4 });
  for (const line of parts.about) sheet.text(line, 12.5, 'about', { color: theme.muted });
  sheet.y += 14;
  sheet.panels(parts.panels);
  sheet.legend(parts.legend);
  if (parts.key) sheet.key(parts.key);
  for (const note of parts.notes) sheet.text(note, 12, 'note', { color: theme.muted });
  const picture = sheet.done();
  picture.prepend(svgElement('title', {}, parts.title));
  return picture;
}

export const svgText = (svg: SVGSVGElement): string => `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(svg)}\n`;

/** The same in dots, two for each unit. */
export async function pngOf(svg: SVGSVGElement): Promise<Blob> {
  const [width, height] = ['width', 'height'].map((a) => Number(svg.getAttribute(a))) as [number, number];
  const zoom = Math.min(2, 8000 / Math.max(width, height));
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgText(svg))}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width * zoom);
  canvas.height = Math.round(height * zoom);
  canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((give, fail) => canvas.toBlob((blob) => (blob ? give(blob) : fail(new Error('the browser made no picture'))), 'image/png'));
}
