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

export function readTheme(): Theme {
  const style = getComputedStyle(document.documentElement);
  const value = (name: string) => style.getPropertyValue(name).trim();
  return {
    ink: value('--ink'),
    muted: value('--muted'),
    line: value('--line'),
    faint: value('--faint'),
    paper: value('--paper'),
    font: value('--font'),
    series: Array.from({ length: 8 }, (_, i) => value(`--series-${i + 1}`)),
  };
}

export type Choice = 'auto' | 'light' | 'dark';

/** Follows the system until the reader chooses. */
export function setTheme(choice: Choice): void {
  if (choice === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = choice;
}

/** Dashes and marks tell lines apart where colours do not. */
export const dashes: (string | number[])[] = ['solid', [6, 3], [2, 2], [8, 3, 2, 3]];
export const marks = ['circle', 'rect', 'triangle', 'diamond', 'emptyCircle', 'emptyRect', 'emptyTriangle', 'emptyDiamond'];
