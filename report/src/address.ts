// A figure with its selections in the page's address: #coherence-pairs-map?protocol=cas&mode=far

export interface Place {
  figure: string;
  choices: Map<string, string>;
}

export function placeOf(hash: string): Place {
  const [figure = '', query = ''] = hash.replace(/^#/, '').split('?', 2);
  return { figure, choices: new Map(new URLSearchParams(query)) };
}

export function hashOf(figure: string, choices: Iterable<[string, string]>): string {
  const query = new URLSearchParams([...choices]).toString();
  return `#${figure}${query === '' ? '' : `?${query}`}`;
}
