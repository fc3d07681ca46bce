// One figure, or the card, without a browser: whoever runs the page's script in a JavaScript program without a document says
// in `synchroscopeRequest` which of which data, and finds the drawing in `synchroscopeAnswer`.

import { placeOf } from './address';
import { echarts } from './charts/echarts';
import { has } from './charts/kit';
import type { Card } from './card';
import { named, type FigureModel } from './model';
import { type Run } from './data';
import { plotOf, type Plot } from './plot';
import { read, type Input } from './reading';
import { lightTheme, type Theme } from './theme';

export interface Request {
  /** The data of a page. */
  data: string;
  /** As in the address of a page: figure?choices. Not given: the card. */
  figure?: string;
  /** The figure as data, in place of a picture. */
  plot?: boolean;
}

/** An SVG file, of a card with its caption and name; a figure as data; or a sentence why there is none. */
export type Answer = { svg: string; caption?: string; name?: string } | { plot: Plot } | { trouble: string };

/** Without fonts to measure, text is taken for as wide as in a wide font: too much room is better than too little. */
function widthOf(text: string, font = '12px'): number {
  const size = Number(/([\d.]+)px/.exec(font)?.[1] ?? 12);
  const bold = /\b(bold|[6-9]\d\d)\b/.test(font) ? 1.08 : 1;
  const share = (c: string) => (/[iljtf.,:;'|!()[\] ]/.test(c) ? 0.37 : /[mwMW@%]/.test(c) ? 0.95 : /[A-Z0-9]/.test(c) ? 0.66 : c > '\u2e7f' ? 1 : 0.6);
  return Array.from(text).reduce((sum, c) => sum + share(c), 0) * size * bold;
}

/** What is to be drawn, by those who know the page. */
export interface Drawers {
  modelsOf: (input: Input) => FigureModel[];
  cardFor: (input: Input, run: Run, theme: Theme) => Card;
}

export function answerTo(request: Request, { modelsOf, cardFor }: Drawers): Answer {
  echarts.setPlatformAPI({ measureText: (text: string, font?: string) => ({ width: widthOf(text, font) }) });
  const input = read(request.data);
  return request.figure === undefined ? cardAnswer(input, cardFor) : figureAnswer(request.figure, modelsOf(input), request.plot === true);
}

function cardAnswer({ runs, ...input }: Input, cardFor: Drawers['cardFor']): Answer {
  const [run, ...others] = runs;
  if (!run || others.length > 0) return { trouble: `a card shows one machine, and these results are of ${runs.length}: ${runs.map((r) => r.name).join(', ')}` };
  const { picture, caption, name } = cardFor({ runs, ...input }, run, lightTheme());
  return { svg: picture.text, caption, name };
}

function figureAnswer(wanted: string, models: FigureModel[], asData: boolean): Answer {
  const drawable = models.filter((m) => m.figure.chart.kind !== 'paper');
  const { figure, choices } = placeOf(wanted);
  const model = named(drawable, figure);
  if (!model)
    return { trouble: `there is no figure '${figure}' in these results; there ${drawable.length === 1 ? 'is' : 'are'} ${drawable.map((m) => m.id).join(', ')
      || 'none'}` };
  const trouble = model.adopt(choices)[0];
  if (trouble !== undefined) return { trouble };
  if (!model.panels().some((p) => p.cells.some(has))) return { trouble: `${model.id} has no value to show` };
  return asData ? { plot: plotOf(model.parts(lightTheme())) } : { svg: model.picture(lightTheme()).text };
}
