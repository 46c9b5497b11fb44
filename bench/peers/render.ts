import { median, renderTable, roundText } from '../table.ts';

/** Rates of a program in each round, per second. A program that could not run has an error instead. */
export interface PeerResult {
  readonly name: string;
  readonly keeps: string;
  readonly creates: readonly number[];
  readonly pages: readonly number[];
  readonly error?: string;
}

/** Table of the medians. The ratios are to the first program, Florin. */
export function renderPeers(results: readonly PeerResult[]): string {
  const [florin] = results;
  const lines = results.map(({ name, keeps, creates, pages, error }) => {
    if (error) return [name, keeps, '', '', '', '', 'did not run'];
    const create = median(creates);
    const page = median(pages);
    return [
      name,
      keeps,
      roundText(create),
      ratioText(create, median(florin?.creates ?? [])),
      roundText(page),
      ratioText(page, median(florin?.pages ?? [])),
    ];
  });
  const errors = results.flatMap(({ name, error }) => (error ? [`${name}: ${error}`] : []));
  const headers = ['program', 'keeps in', 'creates/s', 'to Florin', 'pages/s', 'to Florin', ''];
  return [renderTable(headers, lines), ...errors].join('\n');
}

const ratioText = (figure: number, florin: number): string =>
  Number.isFinite(figure / florin) ? (figure / florin).toFixed(3) : '';
