import {
  type CardsBelow,
  countCardsBelow,
  countReplacedKeks,
  findDueKeks,
  findNewestKeks,
  findUnfinished,
  type NewestKek,
} from '../kek-schedule.ts';
import type { ReportProgress } from '../progress.ts';
import { type KekSelection, NO_KEY } from '../rotate-kek.ts';
import type { PreviewDeps } from './deps.ts';

/** Merchants that are named. A sentence counts the others. */
const NAMED_MAX = 20;

/** Reports the merchants whose keys a rotation would replace, and the cards that it would rewrap. */
export async function previewKeks(
  { db }: Pick<PreviewDeps, 'db'>,
  { merchant_id, mode }: KekSelection,
  report: ReportProgress,
): Promise<void> {
  const keks = await findNewestKeks(db, merchant_id, mode);
  if (keks.length === 0) return report(NO_KEY);
  for (const sentence of replacing(await countCardsBelow(db, keks.map(toNext)))) report(sentence);
}

/** Sentences on what the schedule would do with the keys of merchants; none if nothing is due. */
export async function describeDueKeks({
  db,
  clock,
}: Pick<PreviewDeps, 'db' | 'clock'>): Promise<string[]> {
  const due = await findDueKeks(db, clock());
  const unfinished = (await findUnfinished(db)).filter((kek) => !due.some(isSameScope(kek)));
  const { unused, needed } = await countReplacedKeks(db, clock());
  return [
    ...replacing(await countCardsBelow(db, due.map(toNext))),
    ...rewrapping(await countCardsBelow(db, unfinished)),
    ...(unused > 0 ? [`Would delete replaced merchant keys that no card needs: ${unused}.`] : []),
    ...(needed > 0
      ? [`Would rewrap cards that were stored under replaced merchant keys. Such keys: ${needed}.`]
      : []),
  ];
}

const toNext = ({ version, ...scope }: NewestKek): NewestKek => ({
  ...scope,
  version: version + 1,
});

const isSameScope =
  (one: NewestKek) =>
  (other: NewestKek): boolean =>
    one.merchant_id === other.merchant_id && one.mode === other.mode;

const replacing = (keks: readonly CardsBelow[]): string[] =>
  keks.length === 0
    ? []
    : [
        `Would replace ${keks.length} merchant keys, and rewrap ${totalOf(keks)} cards.`,
        ...named(keks),
      ];

const rewrapping = (keks: readonly CardsBelow[]): string[] =>
  keks.length === 0
    ? []
    : [
        `Would finish ${keks.length} interrupted rotations of merchant keys, and rewrap ${totalOf(keks)} cards.`,
        ...named(keks),
      ];

const totalOf = (keks: readonly CardsBelow[]): number =>
  keks.reduce((total, { cards }) => total + cards, 0);

const named = (keks: readonly CardsBelow[]): string[] => [
  ...keks
    .slice(0, NAMED_MAX)
    .map(
      ({ merchant_id, mode, version, cards }) =>
        `${merchant_id} (${mode}): version ${version}, ${cards} cards.`,
    ),
  ...(keks.length > NAMED_MAX ? [`And ${keks.length - NAMED_MAX} more.`] : []),
];
