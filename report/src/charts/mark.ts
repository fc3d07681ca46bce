// The mark of a legend's entry, drawn the same on the page and in a picture.

import { shape, type Shape } from '../svg';
import type { LegendEntry } from './kit';

export const markWidth = 22;
export const markHeight = 12;

/** In a field of 22 by 12. */
export function markOf(l: LegendEntry, attributes: Shape['attributes'] = {}): Shape {
  const middle = markHeight / 2;
  const group = shape('g', attributes);
  const line = (width: number, dash?: string | number[]) =>
    group.children.push(shape('line', { x1: 0, x2: markWidth, y1: middle, y2: middle, stroke: l.color, 'stroke-width': width,
      ...(Array.isArray(dash) ? { 'stroke-dasharray': dash.join(' ') } : {}) }));
  const box = (more: Shape['attributes']) => group.children.push(shape('rect', { x: 5.5, y: 1, width: 11, height: 10, rx: 1.5, fill: l.color, ...more }));
  if (l.symbol === 'line') line(2.2, l.dash);
  if (l.symbol === 'dash') line(1.6, l.dash ?? [2, 4]);
  if (l.symbol === 'box') box({});
  if (l.symbol === 'hollow') box({ fill: 'none', stroke: l.color, 'stroke-width': 1.4 });
  if (l.symbol === 'far') box({ 'fill-opacity': 0.4, stroke: l.color, 'stroke-width': 1.4, 'stroke-dasharray': '3 2' });
  if (l.point) group.children.push(shape('path', { d: l.point, fill: l.color, transform: `translate(${markWidth / 2 - 4},${middle - 4}) scale(0.8)` }));
  return group;
}
