import { type Problem, ProblemError } from '@florin/contract/errors.ts';
import type { OwnLimits } from '@florin/contract/risk/amounts.ts';
import type { Behaviour, RequestContext } from '../../jsonapi/behaviour.ts';
import type { Model } from '../../jsonapi/model.ts';
import { differingColumns } from '../../jsonapi/parse-document/rows.ts';
import type { Row } from '../../platform/database/row.ts';
import { modeChanges, sandboxRow } from '../../platform/mode-columns.ts';
import type { Services } from '../../services.ts';
import { updaterOf } from '../records/plain.ts';
import { conditionsOf, createUpdater, type FollowOnChanges } from '../records/updater.ts';
import { moveAccessEpoch } from './sql/access-epoch.ts';
import { settingNames } from './sql/callers.ts';

/**
 * Behaviour of merchants' settings. A change invalidates the settings that processes cache with
 * keys.
 */
export function merchantBehaviour(services: Services, model: Model): Behaviour {
  const rules = { followOnChanges: emitSettingsEvents };
  const rowIn = {
    live: (row: Row): Row => row,
    sandbox: (row: Row): Row => sandboxRow(row, model.sandbox_columns),
  };
  const updateIn = {
    live: updaterOf(services, model, rules),
    sandbox: createUpdater(services, {
      ...rules,
      table: model.table,
      differing: (row, columns) => differingColumns(model, rowIn.sandbox(row), columns),
    }),
  };
  return {
    async update(ctx, id, _input, columns) {
      checkCurrencies(columns);
      checkLimits(columns);
      const { mode } = ctx.scope;
      const { requireUnchanged, ...conditions } = conditionsOf(ctx, id);
      const merchant = await updateIn[mode]({
        ...conditions,
        ...(requireUnchanged && { requireUnchanged: (row) => requireUnchanged(rowIn[mode](row)) }),
        columns,
        decide: (_row, _now, changed) => {
          requireOwnSettings(ctx, model, changed);
          return { set: modeChanges(changed, model.sandbox_columns, ctx.scope), events: [] };
        },
      });
      if (changesSettings(columns)) services.callers.clearCache();
      return rowIn[mode](merchant);
    },
  };
}

/** Throws 403 if a caller without live rights changes what both modes share. */
function requireOwnSettings(ctx: RequestContext, model: Model, changed: Row): void {
  const shared = Object.keys(changed).find((column) => !model.sandbox_columns.has(column));
  if (shared !== undefined) ctx.requireLiveRights?.(shared);
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
