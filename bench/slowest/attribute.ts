import { renderTable } from '../table.ts';
import type { Span } from './spans.ts';

/** A request with the spans that overlap it. */
interface Explained {
  readonly request: Span;
  /** Milliseconds of overlap by kind and name, spans of one name united. */
  readonly overlaps: ReadonlyMap<string, number>;
}

/** Part of the requests that counts as slow, and how many of them are listed. */
const SLOW_PART = 0.01;
const LISTED = 5;
const CAUSES_LISTED = 12;
const CAUSES_OF_REQUEST = 4;

const durationOf = ({ start, end }: Span): number => end - start;
const labelOf = ({ kind, name }: Span): string => `${kind}: ${name}`;

/**
 * Says where the slowest requests waited: the mean overlap with each cause, beside that of median requests, and the
 * slowest few. `isMeasured` chooses the requests by method and path.
 */
export function renderSlowest(
  spans: readonly Span[],
  isMeasured: (name: string) => boolean,
): string {
  const requests = spans
    .filter(({ kind, name }) => kind === 'request' && isMeasured(name))
    .toSorted((a, b) => durationOf(b) - durationOf(a));
  const slowCount = Math.max(1, Math.floor(requests.length * SLOW_PART));
  const causes = spans
    .filter(({ kind }) => kind !== 'request')
    .toSorted((a, b) => a.start - b.start);
  const explain = (request: Span): Explained => ({
    request,
    overlaps: overlapsOf(request, causes),
  });
  const slow = requests.slice(0, slowCount).map(explain);
  const middle = Math.floor(requests.length / 2);
  const usual = requests.slice(middle, middle + slowCount).map(explain);
  return [
    `${requests.length} requests; the slowest ${slowCount}: ${rangeOf(slow)}; median ${rangeOf(usual.slice(0, 1))}`,
    renderTable(
      ['cause', 'ms of a slow request', 'ms of a median request', 'difference'],
      causeLines(slow, usual),
    ),
    'Causes overlap each other, so a column may add up to more than the whole request.',
    ...slow.slice(0, LISTED).map(renderRequest),
  ].join('\n\n');
}

const rangeOf = (explained: readonly Explained[]): string => {
  const durations = explained.map(({ request }) => durationOf(request));
  const [most, least] = [durations[0], durations.at(-1)].map((ms) => (ms ?? 0).toFixed(1));
  return most === least ? `${most} ms` : `${least} to ${most} ms`;
};

/** Overlap of one request with each cause, as united intervals. */
function overlapsOf(request: Span, causes: readonly Span[]): Map<string, number> {
  const ends = new Map<string, number>();
  const overlaps = new Map<string, number>();
  for (const cause of causes) {
    if (cause.start >= request.end) break;
    const label = labelOf(cause);
    const from = Math.max(cause.start, request.start, ends.get(label) ?? 0);
    const to = Math.min(cause.end, request.end);
    if (to <= from) continue;
    overlaps.set(label, (overlaps.get(label) ?? 0) + to - from);
    ends.set(label, to);
  }
  return overlaps;
}

function causeLines(slow: readonly Explained[], usual: readonly Explained[]): string[][] {
  const labels = new Set(slow.flatMap(({ overlaps }) => [...overlaps.keys()]));
  const meanOf = (explained: readonly Explained[], label: string): number =>
    explained.reduce((sum, { overlaps }) => sum + (overlaps.get(label) ?? 0), 0) /
    Math.max(1, explained.length);
  return [...labels]
    .map((label) => ({ label, slow: meanOf(slow, label), usual: meanOf(usual, label) }))
    .map((cause) => ({ ...cause, difference: cause.slow - cause.usual }))
    .toSorted((a, b) => b.difference - a.difference)
    .slice(0, CAUSES_LISTED)
    .map(({ label, ...ms }) => [
      label,
      ...[ms.slow, ms.usual, ms.difference].map((figure) => figure.toFixed(1)),
    ]);
}

function renderRequest({ request, overlaps }: Explained): string {
  const longest = [...overlaps].toSorted((a, b) => b[1] - a[1]).slice(0, CAUSES_OF_REQUEST);
  const parts = longest.map(([label, ms]) => `  ${ms.toFixed(1).padStart(6)} ms  ${label}`);
  return [`${durationOf(request).toFixed(1)} ms ${request.name}`, ...parts].join('\n');
}
