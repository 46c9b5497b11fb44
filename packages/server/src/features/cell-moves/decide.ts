import type { Row } from '../../platform/database/row.ts';

/** Accounts at processors of the source that records name, each with that of the target, and those without one. */
export interface AccountMatch {
  readonly accounts: Readonly<Record<string, string>>;
  readonly problems: readonly string[];
}

/**
 * Finds the account of the target for each account of the source: the given one, or the one with the same processor, mode
 * and identity. Accounts of another processor or mode could not refund the moved payments.
 */
export function matchAccounts(
  used: readonly Row[],
  inTarget: readonly Row[],
  given: Readonly<Record<string, string>>,
): AccountMatch {
  const accounts: Record<string, string> = {};
  const problems: string[] = [];
  const unused = Object.keys(given).filter((id) => !used.some((account) => account.id === id));
  problems.push(
    ...unused.map((id) => `no record of the merchant names the account ${id}: leave it out`),
  );
  for (const account of used) {
    const id = account.id as string;
    const isSame = (other: Row): boolean =>
      other.processor === account.processor && other.mode === account.mode;
    const named = given[id];
    const other = named
      ? inTarget.find((candidate) => candidate.id === named)
      : inTarget.find(
          (candidate) =>
            isSame(candidate) &&
            account.identity !== null &&
            candidate.identity === account.identity,
        );
    if (!other) problems.push(withoutMatch(account, named));
    else if (!isSame(other))
      problems.push(
        `the account ${other.id} is at ${other.processor} in ${other.mode} mode, and ${account.name} is at ${account.processor} in ${account.mode} mode`,
      );
    else accounts[id] = other.id as string;
  }
  return { accounts, problems };
}

const withoutMatch = ({ id, name, processor, mode }: Row, named: string | undefined): string =>
  named
    ? `the target has no account ${named}: its operator console lists the accounts`
    : `the target has no account like ${name} (${processor}, ${mode}): connect it there, or give --account ${id}=ID`;

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
