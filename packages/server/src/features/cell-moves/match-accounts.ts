import type { Row } from '../../platform/database/row.ts';

/** Accounts at processors of the source, each with that of the target, and those without one. */
export interface AccountMatch {
  readonly accounts: Readonly<Record<string, string>>;
  readonly problems: readonly string[];
}

/** An account of the source that needs one of the target. */
interface Wanted {
  readonly merchant_id: string;
  readonly account: Row;
  /** Account of the target that an operator named. */
  readonly named: string | undefined;
}

/**
 * Finds the account of the target for each account of the source: the given one, or the one with the same processor, mode
 * and identity. An account for the merchant alone needs such an account, unless an operator names another one. Accounts of
 * other merchants never match.
 */
export function matchAccounts(
  merchant_id: string,
  used: readonly Row[],
  inTarget: readonly Row[],
  given: Readonly<Record<string, string>>,
): AccountMatch {
  const accounts: Record<string, string> = {};
  const unused = Object.keys(given).filter((id) => !used.some((account) => account.id === id));
  const problems = unused.map(
    (id) => `no record of the merchant names the account ${id}: leave it out`,
  );
  for (const account of used) {
    const id = account.id as string;
    const wanted = { merchant_id, account, named: given[id] };
    const other = inTarget.find((candidate) => isMatch(wanted, candidate));
    const problem = other ? problemOf(wanted, other) : withoutMatch(wanted);
    if (problem) problems.push(problem);
    else accounts[id] = other?.id as string;
  }
  return { accounts, problems };
}

const isSame = (one: Row, other: Row): boolean =>
  other.processor === one.processor && other.mode === one.mode;

const isOwn = ({ merchant_id, account }: Wanted): boolean => account.merchant_id === merchant_id;

function isMatch(wanted: Wanted, other: Row): boolean {
  const { merchant_id, account, named } = wanted;
  if (named) return other.id === named;
  const isAllowed =
    other.merchant_id === merchant_id || (other.merchant_id === null && !isOwn(wanted));
  return (
    isAllowed &&
    isSame(account, other) &&
    account.identity !== null &&
    other.identity === account.identity
  );
}

/** Why an account of the target cannot take the place of one of the source. Undefined if it can. */
function problemOf(wanted: Wanted, other: Row): string | undefined {
  const { merchant_id, account, named } = wanted;
  if (other.merchant_id !== null && other.merchant_id !== merchant_id)
    return `the account ${other.name} (${other.id}) is for another merchant alone: name another one`;
  if (!isSame(account, other))
    return `the account ${other.id} is at ${other.processor} in ${other.mode} mode, and ${account.name} is at ${account.processor} in ${account.mode} mode`;
  const takesPayments = account.status === 'enabled' && (isOwn(wanted) || account.in_rules === 't');
  if (takesPayments && other.status !== 'enabled')
    return `the account ${other.name} of the target is ${other.status}, and ${account.name} takes payments of the merchant: enable it there`;
  return isOwn(wanted) && !named ? describeChoices(account, other) : undefined;
}

const CHOICES = ['currencies', 'networks', 'descriptor'] as const;

/** Choices in which an account for the merchant alone differs from that of the target. */
function describeChoices(account: Row, other: Row): string | undefined {
  const differing = CHOICES.filter((name) => account[name] !== other[name]);
  return differing.length === 0
    ? undefined
    : `the account ${other.name} of the target differs from ${account.name} in ${differing.join(', ')}: make them equal, or give --account ${account.id}=${other.id}`;
}

function withoutMatch(wanted: Wanted): string {
  const { merchant_id, named } = wanted;
  const { id, name, processor, mode } = wanted.account;
  if (named) return `the target has no account ${named}: its operator console lists the accounts`;
  const account = `${name} (${processor}, ${mode})`;
  return isOwn(wanted)
    ? `the target has no account like ${account} for the merchant alone: connect it there for the merchant ${merchant_id}, or give --account ${id}=ID`
    : `the target has no account like ${account}: connect it there, or give --account ${id}=ID`;
}
