import { nextState } from '@florin/contract/machines/define-machine.ts';
import { merchantPunitiveActionMachine } from '@florin/contract/machines/merchant-punitive-action.ts';
import { redFlagMachine } from '@florin/contract/machines/red-flag.ts';
import type { EnforcementAction } from '@florin/contract/merchant-status.ts';
import type { Row } from '../../platform/database/row.ts';
import { insertRows } from '../../platform/database/rows.ts';
import type { Scope } from '../../platform/database/scope.ts';
import { transition } from '../../platform/database/transition.ts';
import { uuidv7 } from '../../platform/ids.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { moveAccessEpoch } from '../merchants/sql/access-epoch.ts';
import { lockMeasures, lockStanding, releaseBilling } from '../merchants/sql/measures.ts';
import { newAlert } from '../records/alert.ts';
import { carryOut, type Order, type OrderContext } from './orders.ts';
import { lockFlag, moveFlag } from './red-flags.ts';

type Mode = Scope['mode'];

/** An enforcement action to be taken. */
export interface NewMeasure {
  readonly action: EnforcementAction;
  /** A ban covers all modes, whatever is given here. */
  readonly modes: readonly Mode[];
  /** The red flag that causes the action and gets penalized. */
  readonly red_flag_id?: string | undefined;
}

/**
 * Takes and lifts enforcement actions. Effective from the commit: processes then reload their
 * cached merchants.
 */
export interface Measures {
  /** An action in force stays as it is. Throws 404 for another merchant's flag. */
  take(order: Order, measure: NewMeasure): Promise<void>;
  /** Lifts all actions in the modes; deferred billing is due again. */
  lift(order: Order, modes: readonly Mode[]): Promise<void>;
}

const MODES = ['live', 'sandbox'] as const;

export function createMeasures(services: Services): Measures {
  const { catalog, callers } = services;
  return {
    async take(order, { action, modes: asked, red_flag_id }) {
      const modes = action === 'ban' ? MODES : asked;
      const what = { kind: action, ...namedMode(modes), ...(red_flag_id && { red_flag_id }) };
      await carryOut(services, order, what, async (site) => {
        await lockStanding(site.tx, order.merchant_id);
        const flag = red_flag_id && (await penalize(services, site, red_flag_id, order.reason));
        const rows = await missing(site, { action, modes }, flag || undefined, order.reason);
        await insertRows(site.tx, catalog, 'merchant_punitive_actions', rows);
        const alerts = rows.map((row) => measureAlert(site, row, order.reason));
        await insertRows(site.tx, catalog, 'account_alerts', alerts);
        await moveAccessEpoch(site.tx);
      });
      callers.forgetAll();
    },
    async lift(order, modes) {
      await carryOut(services, order, { kind: 'lift', ...namedMode(modes) }, async (site) => {
        const lifted = await liftAll(services, site, modes);
        const alerts = lifted.map((mode) => liftAlert(site, mode, order.reason));
        await insertRows(site.tx, catalog, 'account_alerts', alerts);
        await moveAccessEpoch(site.tx);
      });
      callers.forgetAll();
    },
  };
}

const namedMode = (modes: readonly Mode[]): { mode?: Mode } =>
  modes.length === 1 ? { mode: modes[0] as Mode } : {};

async function penalize(
  services: Services,
  site: OrderContext,
  id: string,
  reason: string,
): Promise<Row> {
  const flag = await lockFlag(site, id);
  if (nextState(redFlagMachine, flag.status as string, 'penalize')) {
    await moveFlag(services, site, flag, 'penalize', reason);
  }
  return flag;
}

/** Actions that are not in force yet. A flag has one mode, and so has its action. */
async function missing(
  { tx, merchant, now }: OrderContext,
  { action, modes }: Pick<NewMeasure, 'action' | 'modes'>,
  flag: Row | undefined,
  reason: string,
): Promise<Row[]> {
  const merchant_id = merchant.id as string;
  const there = await lockMeasures(tx, merchant_id, modes);
  const isThere = (mode: Mode) => there.some((one) => one.action === action && one.mode === mode);
  const at = instantText(now);
  return modes
    .filter((mode) => !isThere(mode))
    .map((mode) => ({
      merchant_id,
      mode,
      id: uuidv7(now),
      action,
      status: merchantPunitiveActionMachine.initial,
      reason,
      red_flag_id: flag?.mode === mode ? (flag.id ?? null) : null,
      created_at: at,
      updated_at: at,
    }));
}

/** Returns the modes in which an action was lifted. */
async function liftAll(
  { catalog }: Services,
  { tx, merchant, now }: OrderContext,
  modes: readonly Mode[],
): Promise<readonly Mode[]> {
  const merchant_id = merchant.id as string;
  const at = instantText(now);
  const there = await lockMeasures(tx, merchant_id, modes);
  const options = { table: 'merchant_punitive_actions', at };
  const changes = there.map((before) => ({ before, trigger: 'lift', set: { lifted_at: at } }));
  await transition(tx, catalog, options, changes);
  await releaseBilling(tx, merchant_id, modes, at);
  return modes.filter((mode) => there.some((one) => one.mode === mode));
}

const taken: Readonly<Record<EnforcementAction, string>> = {
  quarantine:
    'The operator holds the business back: no new payments are made until this is lifted. Refunds, voids and answers to disputes work',
  ban: 'The operator has banned the business: its payments and refunds can be read, and nothing else',
};

/** One microsecond after the alert of its flag. */
const measureAlert = ({ now }: OrderContext, row: Row, reason: string): Row =>
  newAlert(row, now + 1, {
    code: row.action === 'ban' ? 'merchant_banned' : 'merchant_quarantined',
    message: `${taken[row.action as EnforcementAction]}. Reason: ${reason}`,
    about: { red_flag_id: row.red_flag_id ?? null },
  });

const liftAlert = ({ merchant, now }: OrderContext, mode: Mode, reason: string): Row =>
  newAlert({ merchant_id: merchant.id as string, mode }, now, {
    code: 'merchant_released',
    message: `The operator no longer holds the business back: payments work again. Reason: ${reason}`,
  });
