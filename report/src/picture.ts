// A figure as one picture that stands by itself: title, machine, protocol, charts, legend, notes and date. It is text from
// the beginning, so that it needs no browser.

import { echarts } from './charts/echarts';
import { legendColors } from './charts/heat';
import type { Drawing, LegendEntry } from './charts/kit';
import { markHeight, markOf, markWidth } from './charts/mark';
import { shape, svgText, type Shape } from './svg';
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
  /** What the program found. */
  found: string[];
  panels: { name: string; drawing: Drawing }[];
  legend: LegendEntry[];
  key: Key | null;
  notes: string[];
}

const edge = 24;
const gap = 24;

/** Of one chart, or of each of two beside each other. */
export const pictureWidth = (panels: number): number => (panels > 1 ? 480 : 800);

export const textWidth = (text: string, size: number, theme: Theme, weight = 400): number =>
  echarts.format.getTextRect(text, `${weight} ${size}px ${theme.font}`).width;

/** Text in lines no wider than this. */
export function wrapped(text: string, width: number, size: number, theme: Theme, weight = 400): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines[lines.length - 1];
    if (last !== undefined && textWidth(`${last} ${word}`, size, theme, weight) <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Grows downwards as things are put into it. */
class Sheet {
  readonly content: Shape['children'] = [];
  y = edge;

  constructor(readonly width: number, readonly theme: Theme) {}

  text(text: string, size: number, className: string, { color = this.theme.ink, weight = 400, after = 0 } = {}): void {
    for (const line of wrapped(text, this.width - 2 * edge, size, this.theme, weight)) {
      this.y += size * 1.3;
      this.content.push(shape('text', { class: className, x: edge, y: this.y - size * 0.25, 'font-size': size, 'font-weight': weight, fill: color }, line));
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
        if (named) this.content.push(shape('text', { class: 'panel-name', x, y: this.y + 13, 'font-size': 13, 'font-weight': 600, fill: this.theme.ink },
          p.name));
        this.content.push({ markup: chartOf(p.drawing, pictureWidth(panels.length), x, this.y + named) });
      });
      this.y += named + Math.max(...row.map((p) => Math.ceil(p.drawing.height))) + 12;
    }
  }

  legend(entries: LegendEntry[]): void {
    if (entries.length === 0) return;
    const group = shape('g', { class: 'legend' });
    let x = edge;
    for (const entry of entries) {
      const wide = markWidth + 6 + textWidth(entry.name, 12, this.theme) + 18;
      if (x > edge && x + wide > this.width - edge) {
        x = edge;
        this.y += 19;
      }
      group.children.push(markOf(entry, { transform: `translate(${x},${this.y + 9 - markHeight / 2})` }),
        shape('text', { x: x + markWidth + 6, y: this.y + 13, 'font-size': 12, fill: this.theme.ink }, entry.name));
      x += wide;
    }
    this.content.push(group);
    this.y += 26;
  }

  key({ least, most, share }: Key): void {
    const from = edge + textWidth(least, 12, this.theme) + 8;
    const colors = legendColors(share, 40);
    const step = 240 / colors.length;
    const word = (x: number, text: string) => shape('text', { x, y: this.y + 13, 'font-size': 12, fill: this.theme.ink }, text);
    this.content.push(shape('g', { class: 'legend' }, word(edge, least),
      ...colors.map((fill, i) => shape('rect', { x: from + i * step, y: this.y + 3, width: step + 0.5, height: 12, fill })), word(from + 248, most)));
    this.y += 26;
  }

  done(title: string): Picture {
    const height = Math.ceil(this.y + edge);
    const svg = shape('svg', { xmlns: 'http://www.w3.org/2000/svg', width: this.width, height, viewBox: `0 0 ${this.width} ${height}`,
      'font-family': this.theme.font }, shape('title', {}, title), shape('rect', { width: this.width, height, fill: this.theme.paper }), ...this.content);
    return { width: this.width, height, text: `<?xml version="1.0" encoding="UTF-8"?>\n${svgText(svg)}\n` };
  }
}

export interface Picture {
  width: number;
  height: number;
  /** An SVG file. */
  text: string;
}

/**
 * A chart without what only a pointer needs, so many times as large. The library centres text by a property that few programs
 * besides browsers know, and quotes no attributes: the only one that may hold quotes is the font, and a theme's has single ones.
 */
export function chartOf(drawing: Drawing, width: number, x: number, y: number, zoom = 1): string {
  const [wide, high] = [Math.max(width, drawing.minWidth ?? 0), Math.ceil(drawing.height)];
  const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width: wide, height: high });
  chart.setOption(drawing.option);
  const svg = chart.renderToSVGString();
  chart.dispose();
  const place = `x="${x}" y="${y}" width="${wide * zoom}" height="${high * zoom}"`;
  return svg.replace(/^<svg [^>]*>/, (tag) => tag.replace(/ (width|height)="[^"]*"/g, '').replace('<svg', `<svg ${place}`))
    .replace(/<style[^]*?<\/style>/g, '').replace(/ (ecmeta_\w+|class)="[^"]*"/g, '').replace(/ dominant-baseline="central"/g, ' dy="0.36em"');
}

export function pictureOf(parts: Parts, theme: Theme): Picture {
  const columns = parts.panels.length > 1 ? 2 : 1;
  const inner = Math.max(columns * pictureWidth(parts.panels.length) + (columns - 1) * gap, ...parts.panels.map((p) => p.drawing.minWidth ?? 0));
  const sheet = new Sheet(inner + 2 * edge, theme);
  sheet.text(parts.title, 20, 'title', { weight: 650, after: 4 });
  for (const line of parts.about) sheet.text(line, 12.5, 'about', { color: theme.muted });
  if (parts.found.length > 0) sheet.y += 6;
  for (const line of parts.found) sheet.text(line, 13.5, 'found');
  sheet.y += 14;
  sheet.panels(parts.panels);
  sheet.legend(parts.legend);
  if (parts.key) sheet.key(parts.key);
  for (const note of parts.notes) sheet.text(note, 12, 'note', { color: theme.muted });
  return sheet.done(parts.title);
}

/** The same in dots, two for each unit or so many. */
export async function pngOf({ width, height, text }: Picture, dots = 2): Promise<Blob> {
  const zoom = Math.min(dots, 8000 / Math.max(width, height));
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width * zoom);
  canvas.height = Math.round(height * zoom);
  canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((give, fail) => canvas.toBlob((blob) => (blob ? give(blob) : fail(new Error('the browser made no picture'))), 'image/png'));
}
