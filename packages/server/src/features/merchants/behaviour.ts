import { type Problem, ProblemError } from '@florin/contract/errors.ts';
import type { OwnLimits } from '@florin/contract/risk/amounts.ts';
import type { Behaviour } from '../../jsonapi/behaviour.ts';
import type { Model } from '../../jsonapi/model.ts';
import type { Row } from '../../platform/database/row.ts';
import type { Services } from '../../services.ts';
import { plainBehaviour } from '../records/plain.ts';
import type { FollowOnChanges } from '../records/updater.ts';
import { moveAccessEpoch } from './sql/access-epoch.ts';
import { settingNames } from './sql/callers.ts';

/**
 * Behaviour of merchants' settings. A change invalidates the settings that processes cache with
 * keys.
 */
export function merchantBehaviour(services: Services, model: Model): Behaviour {
  const { update } = plainBehaviour(services, model, { followOnChanges: emitSettingsEvents });
  return {
    async update(ctx, id, input, columns) {
      checkCurrencies(columns);
      checkLimits(columns);
      const merchant = await update(ctx, id, input, columns);
      if (changesSettings(columns)) services.callers.clearCache();
      return merchant;
    },
  };
}

const changesSettings = (columns: Row): boolean => settingNames.some((name) => name in columns);

const emitSettingsEvents: FollowOnChanges = async (tx, changedRows) => {
  const hasChangedSettings = changedRows.some(({ before, after }) =>
    settingNames.some((name) => before[name] !== after[name]),
  );
  if (hasChangedSettings) await moveAccessEpoch(tx);
};

/** Throws 422 with each currency that is listed twice. */
function checkCurrencies({ accepted_currencies }: Row): void {
  const currencies = JSON.parse(accepted_currencies ?? '[]') as string[];
  const problems = currencies.flatMap((currency, at) =>
    currencies.indexOf(currency) < at
      ? [invalidProblem(`accepted_currencies/${at}`, NAMED_BEFORE)]
      : [],
  );
  if (problems.length > 0) throw new ProblemError(problems);
}

const NAMED_BEFORE = 'accepted_currencies has this currency twice. Send each currency once.';

interface CurrencyLimits extends OwnLimits {
  readonly amount_currency: string;
}

/** Throws 422 with each currency that has two limits, or limits that allow no amount. */
function checkLimits({ amount_limits }: Row): void {
  const limits = JSON.parse(amount_limits ?? '[]') as CurrencyLimits[];
  const problems = limits.flatMap((limit, at) => [
    ...(isRepeated(limits, at)
      ? [invalidProblem(`amount_limits/${at}/amount_currency`, REPEATED)]
      : []),
    ...(isEmptyRange(limit) ? [invalidProblem(`amount_limits/${at}/max_cents`, EMPTY_RANGE)] : []),
  ]);
  if (problems.length > 0) throw new ProblemError(problems);
}

const REPEATED = 'amount_limits has this currency twice. Send one limit for each currency.';
const EMPTY_RANGE = 'max_cents must not be less than min_cents.';

const isRepeated = (limits: readonly CurrencyLimits[], at: number): boolean =>
  limits.findIndex(({ amount_currency }) => amount_currency === limits[at]?.amount_currency) < at;

const isEmptyRange = ({ min_cents, max_cents }: OwnLimits): boolean =>
  max_cents !== null && max_cents < (min_cents ?? 0);

const invalidProblem = (memberPath: string, detail: string): Problem => ({
  code: 'invalid',
  detail,
  source: { pointer: `/data/attributes/${memberPath}` },
});
