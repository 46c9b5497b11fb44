import type { AlertMessageCode } from '@florin/contract/alert-messages/alert-messages.ts';
import type { TriggerOf } from '@florin/contract/machines/define-machine.ts';
import { nextState, triggersFrom } from '@florin/contract/machines/define-machine.ts';
import { type RedFlagState, redFlagMachine } from '@florin/contract/machines/red-flag.ts';
import { notFound } from '../../jsonapi/problems.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyText } from '../../platform/database/row-key.ts';
import { insertRows } from '../../platform/database/rows.ts';
import type { Scope } from '../../platform/database/scope.ts';
import { lockRows, transition } from '../../platform/database/transition.ts';
import { uuidv7 } from '../../platform/ids.ts';
import { instantText, type Micros } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { insertAlerts, newAlert } from '../records/alert.ts';
import { wrongState } from '../records/wrong-state.ts';
import {
  type ActionContext,
  type AuditedAction,
  type OperatorAction,
  runOperatorAction,
} from './operator-actions.ts';

export type FlagTrigger = TriggerOf<typeof redFlagMachine>;

/**
 * Input of `RedFlags.raise`. The action's reason becomes the flag's comment, which the merchant can
 * read.
 */
export interface NewFlag {
  readonly mode: Scope['mode'];
  readonly violation: string;
}

/** Red flags of merchants. Each change alerts the merchant's members. */
export interface RedFlags {
  raise(operatorAction: OperatorAction, flag: NewFlag): Promise<void>;
  /**
   * Throws 404 for another merchant's flag, and 405 if the flag's state does not allow the trigger.
   */
  move(operatorAction: OperatorAction, id: string, trigger: FlagTrigger): Promise<void>;
}

export const createRedFlags = (services: Services): RedFlags => ({
  raise: (operatorAction, { mode, violation }) =>
    runOperatorAction(
      services,
      operatorAction,
      raisedFlag(mode, violation),
      async ({ tx, merchant, now }) => {
        const at = instantText(now);
        const flag: Row = {
          merchant_id: merchant.id as string,
          mode,
          id: uuidv7(now),
          status: redFlagMachine.initial,
          source: 'edge',
          violation,
          comment: operatorAction.reason,
          created_at: at,
          updated_at: at,
        };
        await insertRows(tx, services.catalog, 'red_flags', [flag]);
        const alert = flagAlert(flag, now, operatorAction.reason);
        await insertAlerts(tx, services.catalog, [alert], now);
      },
    ),
  move: (operatorAction, id, trigger) =>
    runOperatorAction(
      services,
      operatorAction,
      { kind: `${trigger}_flag`, red_flag_id: id },
      async (context) => {
        const flag = await lockFlag(context, id);
        if (!nextState(redFlagMachine, flag.status as string, trigger)) {
          throw wrongState(recordStateOf(flag), trigger);
        }
        await moveFlag(services, context, flag, trigger, operatorAction.reason);
      },
    ),
});

const raisedFlag = (mode: Scope['mode'], violation: string): AuditedAction => ({
  kind: 'raise_flag',
  mode,
  details: { violation },
});

/** Locks a red flag. Throws 404 if the merchant has no such flag. */
export async function lockFlag({ tx, merchant }: ActionContext, id: string): Promise<Row> {
  const key = { merchant_id: merchant.id as string, id };
  const flag = (await lockRows(tx, 'red_flags', [key])).get(keyText(key));
  if (!flag) throw notFound();
  return flag;
}

/** Changes a locked red flag and alerts the merchant's members. */
export async function moveFlag(
  { catalog }: Services,
  { tx, now }: ActionContext,
  rowBefore: Row,
  trigger: FlagTrigger,
  reason: string,
): Promise<void> {
  const options = { table: 'red_flags', at: instantText(now) };
  const [after] = await transition(tx, catalog, options, [{ before: rowBefore, trigger, set: {} }]);
  const flag = after as Row;
  const alert = flagAlert(flag, now, reason);
  await insertAlerts(tx, catalog, [alert], now);
}

const flagCodes = {
  active: 'red_flag_raised',
  warned: 'red_flag_warned',
  penalized: 'red_flag_penalized',
  cleared: 'red_flag_cleared',
} as const satisfies Readonly<Record<RedFlagState, AlertMessageCode>>;

const flagAlert = (flag: Row, now: Micros, reason: string): Row =>
  newAlert(flag, now, {
    message: {
      code: flagCodes[flag.status as RedFlagState],
      parameters: { violation: flag.violation as string, reason },
    },
    subject: { red_flag_id: flag.id ?? null },
  });

const recordStateOf = ({ status }: Row) => ({
  noun: 'red flag',
  state: status as string,
  actions: triggersFrom(redFlagMachine, status as string),
});
