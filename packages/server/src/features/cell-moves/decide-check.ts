/** A cell that has rows of a merchant. */
export interface MerchantHolder {
  readonly cell: string;
  /** State of the stop there. Undefined while the cell serves the merchant. */
  readonly stop?: string | undefined;
}

/** Where a merchant is, by the directory and by all cells that answer. */
export interface MerchantPlaces {
  readonly merchant_id: string;
  /** Cell of the directory. Undefined if the directory lacks the merchant. */
  readonly named?: string | undefined;
  /** A move that has begun. */
  readonly move?: { readonly target: string; readonly is_leased: boolean } | undefined;
  readonly holders: readonly MerchantHolder[];
}

/** Kinds of findings, in the order in which operators should read them. */
export const CHECK_KINDS = {
  stopped: 'stopped by a move that no command works on',
  outdated: 'in a cell that the directory does not name',
  doubled: 'served by several cells',
  lost: 'without rows in the cell of the directory, and in no other one',
  missing: 'without an entry in the directory',
  remains: 'with rows in a cell that does not serve them',
} as const;

export type CheckKind = keyof typeof CHECK_KINDS;

export interface CellFinding {
  readonly kind: CheckKind;
  readonly merchant_id: string;
  readonly next_step: string;
}

const found = (kind: CheckKind, next_step: string) => ({ kind, next_step });

const namesOf = (holders: readonly MerchantHolder[]): string =>
  holders.map(({ cell }) => cell).join(', ');

/**
 * Decides which problem a merchant has, if any. `unanswered`: cells that did not answer. Nothing is said about a merchant
 * whose cell is among them, or whom a command moves now.
 */
export function checkMerchant(
  places: MerchantPlaces,
  unanswered: ReadonlySet<string>,
): CellFinding | undefined {
  const { merchant_id, named, move } = places;
  if (move?.is_leased || (named !== undefined && unanswered.has(named))) return undefined;
  const finding = move
    ? found('stopped', `repeat "cell move ${merchant_id} ${move.target}"`)
    : checkPlaces(places);
  // A cell that does not answer may have it.
  if (finding?.kind === 'lost' && unanswered.size > 0) return undefined;
  return finding && { merchant_id, ...finding };
}

/** Without a move: one cell must have the merchant and serve it. */
function checkPlaces({
  named,
  holders,
}: MerchantPlaces): Omit<CellFinding, 'merchant_id'> | undefined {
  const serving = holders.filter(({ stop }) => stop === undefined);
  const [only] = serving;
  if (named === undefined)
    return holders.length > 0
      ? found('missing', `repeat "cell create" for the cell ${namesOf(holders)}`)
      : undefined;
  if (serving.length > 1)
    return found('doubled', `compare ${namesOf(serving)}, and let one serve it`);
  if (only && only.cell !== named)
    return found('outdated', `let the directory name ${only.cell}, not ${named}`);
  if (only)
    return holders.length > 1
      ? found('remains', `compare ${namesOf(holders.filter((it) => it !== only))} with ${named}`)
      : undefined;
  if (holders.length === 0)
    return found(
      'lost',
      `restore the cell ${named}, or delete the entry if the merchant was never opened`,
    );
  return holders.some(({ cell }) => cell === named)
    ? found('stopped', `compare ${namesOf(holders)}, and end the stop in one`)
    : found('outdated', `let the directory name ${namesOf(holders)}, then end the stop there`);
}

/** Lines that one kind has at most. */
export const SHOWN_MAX = 20;

/** Text of a check: at most 20 merchants of each kind, each with its next step. */
export function cellCheckText(
  findings: readonly CellFinding[],
  problems: readonly string[],
): string {
  const lines = [...problems];
  for (const [kind, what] of Object.entries(CHECK_KINDS)) {
    const ofKind = findings.filter((finding) => finding.kind === kind);
    if (ofKind.length === 0) continue;
    lines.push(`${ofKind.length} merchants ${what}:`);
    for (const { merchant_id, next_step } of ofKind.slice(0, SHOWN_MAX))
      lines.push(`  ${merchant_id}: ${next_step}`);
    if (ofKind.length > SHOWN_MAX) lines.push(`  and ${ofKind.length - SHOWN_MAX} more`);
  }
  return lines.length > 0 ? lines.join('\n') : 'All merchants are in the cell of the directory.';
}
