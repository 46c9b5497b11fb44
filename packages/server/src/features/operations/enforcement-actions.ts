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
import {
  lockEnforcementActions,
  lockMerchantStatus,
  releaseBilling,
} from '../merchants/sql/enforcement-actions.ts';
import { insertAlerts, newAlert } from '../records/alert.ts';
import { type ActionContext, type OperatorAction, runOperatorAction } from './operator-actions.ts';
import { lockFlag, moveFlag } from './red-flags.ts';

type Mode = Scope['mode'];

/** Input of `EnforcementActions.take`. */
export interface NewEnforcementAction {
  readonly action: EnforcementAction;
  /** Modes that a quarantine covers. A ban always covers both modes. */
  readonly modes: readonly Mode[];
  /** Red flag that causes the action; it becomes penalized. */
  readonly red_flag_id?: string | undefined;
}

/**
 * Takes and lifts enforcement actions. After the commit, all processes reload the merchant and
 * apply the change.
 */
export interface EnforcementActions {
  /**
   * Takes an action; has no effect if the action is already in force. Throws 404 for another
   * merchant's flag.
   */
  take(operatorAction: OperatorAction, action: NewEnforcementAction): Promise<void>;
  /** Lifts all actions in these modes and makes deferred billing due. */
  lift(operatorAction: OperatorAction, modes: readonly Mode[]): Promise<void>;
}

const MODES = ['live', 'sandbox'] as const;

export function createEnforcementActions(services: Services): EnforcementActions {
  const { catalog, callers } = services;
  return {
    async take(operatorAction, { action, modes: requestedModes, red_flag_id }) {
      const modes = action === 'ban' ? MODES : requestedModes;
      const audited = { kind: action, ...namedMode(modes), ...(red_flag_id && { red_flag_id }) };
      await runOperatorAction(services, operatorAction, audited, async (context) => {
        await lockMerchantStatus(context.tx, operatorAction.merchant_id);
        const flag =
          red_flag_id &&
          (await penalizeMerchant(services, context, red_flag_id, operatorAction.reason));
        const rows = await missingModes(
          context,
          { action, modes },
          flag || undefined,
          operatorAction.reason,
        );
        await insertRows(context.tx, catalog, 'merchant_punitive_actions', rows);
        const alerts = rows.map((row) => enforcementAlert(context, row, operatorAction.reason));
        await insertAlerts(context.tx, catalog, alerts, context.now);
        await moveAccessEpoch(context.tx);
      });
      callers.clearCache();
    },
    async lift(operatorAction, modes) {
      await runOperatorAction(
        services,
        operatorAction,
        { kind: 'lift', ...namedMode(modes) },
        async (context) => {
          const lifted = await liftActions(services, context, modes);
          const alerts = lifted.map((mode) => liftedAlert(context, mode, operatorAction.reason));
          await insertAlerts(context.tx, catalog, alerts, context.now);
          await moveAccessEpoch(context.tx);
        },
      );
      callers.clearCache();
    },
  };
}

const namedMode = (modes: readonly Mode[]): { mode?: Mode } =>
  modes.length === 1 ? { mode: modes[0] as Mode } : {};

async function penalizeMerchant(
  services: Services,
  context: ActionContext,
  id: string,
  reason: string,
): Promise<Row> {
  const flag = await lockFlag(context, id);
  if (nextState(redFlagMachine, flag.status as string, 'penalize')) {
    await moveFlag(services, context, flag, 'penalize', reason);
  }
  return flag;
}

/**
 * Modes in which the action is not in force yet. An action with a red flag covers the flag's mode
 * only.
 */
async function missingModes(
  { tx, merchant, now }: ActionContext,
  { action, modes }: Pick<NewEnforcementAction, 'action' | 'modes'>,
  flag: Row | undefined,
  reason: string,
): Promise<Row[]> {
  const merchant_id = merchant.id as string;
  const actionsInForce = await lockEnforcementActions(tx, merchant_id, modes);
  const isInForce = (mode: Mode) =>
    actionsInForce.some(
      (inForceAction) => inForceAction.action === action && inForceAction.mode === mode,
    );
  const at = instantText(now);
  return modes
    .filter((mode) => !isInForce(mode))
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
async function liftActions(
  { catalog }: Services,
  { tx, merchant, now }: ActionContext,
  modes: readonly Mode[],
): Promise<readonly Mode[]> {
  const merchant_id = merchant.id as string;
  const at = instantText(now);
  const actionsInForce = await lockEnforcementActions(tx, merchant_id, modes);
  const options = { table: 'merchant_punitive_actions', at };
  const changes = actionsInForce.map((row) => ({
    before: row,
    trigger: 'lift',
    set: { lifted_at: at },
  }));
  await transition(tx, catalog, options, changes);
  await releaseBilling(tx, merchant_id, modes, at);
  return modes.filter((mode) =>
    actionsInForce.some((inForceAction) => inForceAction.mode === mode),
  );
}

/** Alert about an enforcement action, dated one microsecond after the alert about its red flag. */
const enforcementAlert = ({ now }: ActionContext, row: Row, reason: string): Row =>
  newAlert(row, now + 1, {
    message: {
      code: row.action === 'ban' ? 'merchant_banned' : 'merchant_quarantined',
      parameters: { reason },
    },
    subject: { red_flag_id: row.red_flag_id ?? null },
  });

const liftedAlert = ({ merchant, now }: ActionContext, mode: Mode, reason: string): Row =>
  newAlert({ merchant_id: merchant.id as string, mode }, now, {
    message: { code: 'merchant_released', parameters: { reason } },
  });
