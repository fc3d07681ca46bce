// Colours and type live in the style sheet; charts read them from there, so that light, dark and print agree.

export interface Theme {
  ink: string;
  muted: string;
  line: string;
  faint: string;
  paper: string;
  font: string;
  series: string[];
}

const themeFrom = (value: (name: string) => string): Theme => ({
  ink: value('--ink'),
  muted: value('--muted'),
  line: value('--line'),
  faint: value('--faint'),
  paper: value('--paper'),
  // Single quotes: they may stand in an attribute.
  font: value('--font').replace(/"/g, "'"),
  series: Array.from({ length: 12 }, (_, i) => value(`--series-${i + 1}`)),
});

export function readTheme(): Theme {
  const style = getComputedStyle(document.documentElement);
  return themeFrom((name) => style.getPropertyValue(name).trim());
}

/** The light colours of the style sheet, which the build puts here for where there is no page. */
declare const lightStyle: Record<string, string>;
export const lightTheme = (): Theme => themeFrom((name) => lightStyle[name] ?? '');

export type Choice = 'auto' | 'light' | 'dark';

/** Follows the system until the reader chooses. */
export function setTheme(choice: Choice): void {
  if (choice === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = choice;
}

function luminance([r, g, b]: readonly number[]): number {
  const [x, y, z] = [r!, g!, b!].map((v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * x! + 0.7152 * y! + 0.0722 * z!;
}

/** Black or white, whichever is easier to read on this colour. */
export const inkOn = (c: readonly number[]): string => (luminance(c) > 0.179 ? '#000000' : '#ffffff');

/** Red, green and blue of #rrggbb. */
export const channels = (color: string): number[] => [1, 3, 5].map((i) => parseInt(color.slice(i, i + 2), 16));

/** `share` of the way from one colour to another, both as #rrggbb. */
export function mixed(from: string, to: string, share: number): string {
  if (![from, to].every((c) => /^#[0-9a-f]{6}$/i.test(c))) return from;
  const [a, b] = [channels(from), channels(to)];
  return `#${a.map((v, i) => Math.round(v + (b[i]! - v) * share).toString(16).padStart(2, '0')).join('')}`;
}

/** Dashes tell lines apart where colours do not. */
export const dashes: (string | number[])[] = ['solid', [6, 3], [2, 2], [8, 3, 2, 3]];

/** Points of lines as paths in a square of ten: filled where the value is sure, hollow where it is doubtful. */
export const marks = [
  'M5,0A5,5,0,1,1,5,10A5,5,0,1,1,5,0Z', 'M0.6,0.6H9.4V9.4H0.6Z', 'M5,0L10,9.4H0Z', 'M5,0L10,5L5,10L0,5Z', 'M0,0.6H10L5,10Z',
  'M3.4,0H6.6V3.4H10V6.6H6.6V10H3.4V6.6H0V3.4H3.4Z', 'M5,0L10,3.8L8.1,9.6H1.9L0,3.8Z', 'M5,0L6.6,3.4L10,5L6.6,6.6L5,10L3.4,6.6L0,5L3.4,3.4Z',
];

/** What a paper has published: a ring. */
export const publishedMark = 'M5,0A5,5,0,1,1,5,10A5,5,0,1,1,5,0ZM5,1.8A3.2,3.2,0,1,0,5,8.2A3.2,3.2,0,1,0,5,1.8Z';

/** What was measured while the processors of a virtual machine were far from each other. */
export const farMark = 'M1.6,0L5,3.4L8.4,0L10,1.6L6.6,5L10,8.4L8.4,10L5,6.6L1.6,10L0,8.4L3.4,5L0,1.6Z';

/** What these marks are called where a figure is data. */
export const markNames = new Map<string, string>([
  ...['circle', 'square', 'up', 'diamond', 'down', 'plus', 'pentagon', 'star'].map((name, i): [string, string] => [marks[i]!, name]),
  [publishedMark, 'ring'], [farMark, 'cross'],
]);
