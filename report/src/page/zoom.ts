// Looking at a part of a map: by dragging over it, with the wheel and Ctrl, by keys, or by buttons.

import type { echarts } from '../charts/echarts';
import type { Drawing } from '../charts/kit';
import { between, isSame, isWhole, moved, wholeOf, zoomed, type Part, type Span } from '../charts/part';
import { h } from '../dom';

type Chart = ReturnType<typeof echarts.init>;
type Zoom = NonNullable<Drawing['zoom']>;
/** Nothing: the whole map. */
type Choose = (part: Part | null) => void;

/** A pointer of zrender's. */
interface Hand {
  offsetX: number;
  offsetY: number;
  event: Event;
  wheelDelta?: number;
}

/** The pointer has moved less: that was a click. */
const leastDrag = 6;
const closer = 0.5;

const known = ({ all }: Zoom, choose: Choose) => (part: Part) => choose(isWhole(part, all) ? null : part);

const isOn = (chart: Chart, { offsetX, offsetY }: Hand) => chart.containPixel({ gridIndex: 0 }, [offsetX, offsetY]);

/** In places of the whole map; beside what is shown of it the nearest. */
function placeAt(chart: Chart, { part }: Zoom, { offsetX, offsetY }: Hand): [number, number] {
  const [x, y] = chart.convertFromPixel({ gridIndex: 0 }, [offsetX, offsetY]) as [number, number];
  const within = ([from, end]: Span, place: number) => Math.max(from, Math.min(end - 1, from + place));
  return [within(part.columns, x), within(part.rows, y)];
}

export function zoomByPointer(chart: Chart, canvas: HTMLElement, zoom: Zoom, choose: Choose): void {
  const frame = h('div', { class: 'brush', hidden: true });
  canvas.append(frame);
  const set = known(zoom, choose);
  let from: { hand: Hand; place: [number, number] } | null = null;
  const zr = chart.getZr();
  zr.on('mousedown', (hand: Hand) => {
    const event = hand.event as PointerEvent;
    const finger = event.pointerType === 'touch' || event.type.startsWith('touch'); // that scrolls
    from = isOn(chart, hand) && !finger && event.button === 0
      ? { hand: { ...hand, offsetX: hand.offsetX, offsetY: hand.offsetY }, place: placeAt(chart, zoom, hand) } : null;
  });
  zr.on('mousemove', (hand: Hand) => {
    frame.hidden = !from;
    if (!from) return;
    const [x, y] = [Math.min(from.hand.offsetX, hand.offsetX), Math.min(from.hand.offsetY, hand.offsetY)];
    Object.assign(frame.style, { left: `${x}px`, top: `${y}px`, width: `${Math.abs(from.hand.offsetX - hand.offsetX)}px`,
      height: `${Math.abs(from.hand.offsetY - hand.offsetY)}px` });
  });
  const end = (hand: Hand) => {
    const begun = from;
    from = null;
    frame.hidden = true;
    const far = begun && Math.max(Math.abs(begun.hand.offsetX - hand.offsetX), Math.abs(begun.hand.offsetY - hand.offsetY)) >= leastDrag;
    if (far) set(between(begun.place, placeAt(chart, zoom, hand), zoom.all));
  };
  zr.on('mouseup', end);
  zr.on('globalout', () => ((from = null), (frame.hidden = true)));
  zr.on('dblclick', () => choose(null));
  zr.on('mousewheel', (hand: Hand) => {
    if (!isOn(chart, hand) || !(hand.event as WheelEvent).ctrlKey) return;
    hand.event.preventDefault();
    set(zoomed(zoom.part, zoom.all, (hand.wheelDelta ?? 0) > 0 ? closer : 1 / closer, placeAt(chart, zoom, hand)));
  });
}

const turns: Record<string, (z: Zoom) => Part> = {
  '+': (z) => zoomed(z.part, z.all, closer),
  '-': (z) => zoomed(z.part, z.all, 1 / closer),
  '0': (z) => wholeOf(z.all),
};
const steps: Record<string, (z: Zoom) => Part> = {
  ArrowLeft: (z) => moved(z.part, z.all, -0.5, 0),
  ArrowRight: (z) => moved(z.part, z.all, 0.5, 0),
  ArrowUp: (z) => moved(z.part, z.all, 0, -0.5),
  ArrowDown: (z) => moved(z.part, z.all, 0, 0.5),
};

/** Plus, minus and 0; arrows where they read no values, and with Shift. True if what is shown became another part. */
export function zoomByKey(event: KeyboardEvent, zoom: Zoom, reads: boolean, choose: Choose): boolean {
  const turn = turns[event.key] ?? (!reads || event.shiftKey ? steps[event.key] : undefined);
  if (!turn || event.ctrlKey || event.metaKey || event.altKey) return false;
  const part = turn(zoom);
  if (isSame(part, zoom.part)) return false;
  known(zoom, choose)(part);
  return true;
}

/** What a finger and a keyboard have in place of dragging. */
export function zoomButtons(zoom: Zoom, choose: Choose): HTMLElement {
  const set = known(zoom, choose);
  const button = (text: string, label: string, to: Part) => h('button', { type: 'button', class: 'text', 'aria-label': label, title: label,
    'data-zoom': text, click: () => set(to) }, text);
  const inner = isWhole(zoom.part, zoom.all) ? [] : [button('Zoom out', 'Zoom out', turns['-']!(zoom)), button('Whole map', 'The whole map', wholeOf(zoom.all)),
    button('←', 'Further left', steps.ArrowLeft!(zoom)), button('→', 'Further right', steps.ArrowRight!(zoom)), button('↑', 'Further up', steps.ArrowUp!(zoom)),
    button('↓', 'Further down', steps.ArrowDown!(zoom))];
  return h('p', { class: 'zoom' }, button('Zoom in', 'Zoom in', turns['+']!(zoom)), inner, h('span', { class: 'small' }, 'or drag over the part to look at'));
}
