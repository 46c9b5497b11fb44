import type { Row } from '../../platform/database/row.ts';
import { RULES_MAX } from '../processor-accounts/rules.ts';

/** Day of settlement that one cell has and the other lacks. The lines between would be settled twice, or never. */
export function describeSettlementDifference(
  source: readonly Row[],
  target: readonly Row[],
  today: string,
): string[] {
  const keyOf = ({ processor, mode }: Row): string => `${processor} ${mode}`;
  const others = new Map(target.map((row) => [keyOf(row), row]));
  return source.flatMap((row) => {
    const other = others.get(keyOf(row)) ?? { day: today, part: '1' };
    const isBetweenFiles = [row, other].every(({ part }) => part === null || part === '1');
    return row.day === other.day && isBetweenFiles
      ? []
      : [
          `the cells have settled ${row.processor} (${row.mode}) up to different days, ${row.day} and ${other.day}: wait for their work loops`,
        ];
  });
}

/** Why routing rules for the merchant alone cannot come first in the target. */
export function describeRuleOrder(
  late: readonly Row[],
  source: readonly Row[],
  target: readonly Row[],
): string[] {
  const counts = new Map(target.map(({ mode, count }) => [mode, Number(count)]));
  return [
    ...late.map(
      ({ name, mode, earlier }) =>
        `the ${mode} rule ${earlier} for all merchants comes before ${name}, which is for the merchant alone: put the rules of the merchant first, because they come first in the target`,
    ),
    ...source
      .filter(({ mode, own }) => own !== '0' && (counts.get(mode) ?? 0) + Number(own) > RULES_MAX)
      .map(
        ({ mode }) =>
          `the target would have more than ${RULES_MAX} ${mode} rules: remove some there`,
      ),
  ];
}

/** Describes how the migrations of a cell differ from those of this release; undefined if they do not. */
export function describeReleaseDifference(
  cell: string,
  { missing, unknown }: Readonly<Record<'missing' | 'unknown', readonly string[]>>,
): string | undefined {
  if (unknown.length > 0)
    return `the ${cell} has the migration ${unknown.at(-1)}, which this release of Florin does not know: run the command of the release of both cells`;
  if (missing.length > 0)
    return `the ${cell} lacks the migration ${missing[0]} of this release of Florin: bring both cells to this release first, with "florin migrate"`;
  return undefined;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Reads `--account OLD=NEW` words. Throws an `Error` for people on any other word. */
export function readMoveWords(words: readonly string[]): {
  readonly accounts: Readonly<Record<string, string>>;
  readonly cards: string | undefined;
  readonly dry_run: boolean;
  readonly cancel: boolean;
} {
  const accounts: Record<string, string> = {};
  let [dry_run, cancel] = [false, false];
  let cards: string | undefined;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    if (word === '--dry-run') dry_run = true;
    else if (word === '--cancel') cancel = true;
    else if (word === '--cards') {
      cards = words[++at];
      if (!cards) throw new Error('give --cards RECEIPT with the file of "vault cards import"');
    } else if (word === '--account') {
      const [from = '', to = ''] = (words[++at] ?? '').split('=');
      if (!UUID.test(from) || !UUID.test(to))
        throw new Error('give --account OLD=NEW with the ids of two accounts at processors');
      accounts[from] = to;
    } else
      throw new Error(
        `${word} is no option: use --account OLD=NEW, --cards RECEIPT, --cancel or --dry-run`,
      );
  }
  return { accounts, cards, dry_run, cancel };
}

/** Whether a word is the id of a merchant. */
export const isMerchantId = (word: string): boolean => UUID.test(word);
