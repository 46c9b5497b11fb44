import { problem } from '@florin/contract/errors.ts';
import { sandboxClockMachine } from '@florin/contract/machines/sandbox-clock.ts';
import {
  ADVANCE_SECONDS_MAX,
  ADVANCE_YEARS_MAX,
  AHEAD_SECONDS_MAX,
} from '@florin/contract/resources/sandbox-clocks.ts';
import type { Behaviour, WriteInput } from '../../jsonapi/behaviour.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import type { Scope } from '../../platform/database/scope.ts';
import { violatedConstraint } from '../../platform/database/wire/constraints.ts';
import { instantText, type Micros, microsOf, seconds } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { type CreateItem, createCreator } from '../records/creator.ts';
import { referencesOf, updaterOf } from '../records/plain.ts';
import { invalidReferences } from '../records/references.ts';
import type { Decision } from '../records/updater.ts';
import { wrongState } from '../records/wrong-state.ts';
import { clockOf } from '../timelines/sql/sandbox-clocks.ts';
import { removalUpdater, removeClock } from './removal.ts';

/** Behaviour of sandbox clocks. Live mode has none: lists are empty and creates are refused. */
export function sandboxClockBehaviour(services: Services): Behaviour {
  const { db, timelines } = services;
  const model = services.models.get('sandbox_clocks');
  const create = createCreator(services, 'sandbox_clocks');
  const update = updaterOf(services, model);
  const removal = removalUpdater(services, model);
  return {
    async create({ scope, idempotency }, _input, record) {
      const row = { ...record, ...initialColumns, ahead_seconds: await clockOffsetOf(db, scope) };
      const item = {
        record: { row, events: [], idempotency },
        references: referencesOf(model, row),
      };
      if (scope.mode !== 'sandbox') throw await refusalOf(db, scope, item);
      return create(item).catch((error: unknown) => refuseSecondClock(db, row, error));
    },
    actions: {
      async advance({ scope, if_match, idempotency }, id, input) {
        const decide = (row: Row, now: Micros) => decideAdvance(row, input, now);
        const row = await update({ scope, id, if_match, idempotency, decide });
        timelines.wake.raise();
        return row;
      },
      remove: (ctx, id) => removeClock(services, removal, ctx, id),
    },
  };
}

const initialColumns: Row = { status: sandboxClockMachine.initial, steps_count: '0' };

/** Checks references first: the error names a missing customer even in live mode. */
async function refusalOf(db: Db, scope: Scope, item: CreateItem): Promise<Error> {
  const referenceErrors = await invalidReferences(db, [item], () => scope);
  return (
    referenceErrors.get(item) ??
    problem('forbidden', 'Only the sandbox has clocks. Use a sandbox key.', {
      header: 'Authorization',
    })
  );
}

/**
 * Seconds by which the merchant's clock differs from the system clock. A customer's clock starts
 * there, so that the customer's time never goes back.
 */
const clockOffsetOf = async (db: Db, { merchant_id }: Scope): Promise<string> =>
  (await clockOf(db, merchant_id, null))?.ahead_seconds ?? '0';

const ONE_CLOCK: readonly unknown[] = ['sandbox_clocks_of_merchant', 'sandbox_clocks_of_customer'];

async function refuseSecondClock(db: Db, row: Row, error: unknown): Promise<never> {
  if (!ONE_CLOCK.includes(violatedConstraint(error))) throw error;
  const customer_id = row.customer_id ?? null;
  const existingClock = await clockOf(db, row.merchant_id as string, customer_id);
  throw problem(
    'clock_exists',
    `This ${customer_id ? 'customer' : 'merchant'} already has a clock. Advance that clock.`,
    { pointer: customer_id ? '/data/relationships/customer' : '/data' },
    { meta: { sandbox_clock: existingClock?.id } },
  );
}

/** Starts the advance of a clock. `now` is the system clock's time. */
function decideAdvance(clock: Row, { attributes }: WriteInput, now: Micros): Decision {
  if (clock.status !== sandboxClockMachine.initial) {
    const state = clock.status as string;
    throw wrongState({ noun: 'sandbox clock', state, actions: [] }, 'advance');
  }
  const reachedAt = now + seconds(Number(clock.ahead_seconds));
  const target = targetOf(attributes, reachedAt);
  if (target - now > seconds(AHEAD_SECONDS_MAX)) throw tooFar(AHEAD_SECONDS_MAX, attributes);
  const at = instantText(reachedAt);
  const set = { target_at: instantText(target), from_at: at, reached_at: at };
  return { trigger: 'advance', set, events: [] };
}

function targetOf(attributes: WriteInput['attributes'], reachedAt: Micros): Micros {
  const { to = null, by_seconds = null } = attributes;
  if ((to === null) === (by_seconds === null)) {
    throw problem(to === null ? 'blank' : 'invalid', 'Send either to or by_seconds, not both.', BY);
  }
  const target = to === null ? reachedAt + seconds(Number(by_seconds)) : microsOf(to as string);
  if (target <= reachedAt) {
    const detail =
      'to must be later than the time of the clock (meta.now). Clocks only go forward.';
    throw problem('invalid', detail, TO, { meta: { now: instantText(reachedAt) } });
  }
  if (target - reachedAt > seconds(ADVANCE_SECONDS_MAX))
    throw tooFar(ADVANCE_SECONDS_MAX, attributes);
  return target;
}

const BY = { pointer: '/data/attributes/by_seconds' };
const TO = { pointer: '/data/attributes/to' };

const tooFar = (limit: number, { to = null }: WriteInput['attributes']): Error =>
  problem(
    'too_large',
    limit === ADVANCE_SECONDS_MAX
      ? `One advance covers at most ${ADVANCE_YEARS_MAX} years. Advance again to go further.`
      : 'A clock can be at most 100 years ahead of the system clock.',
    to === null ? BY : TO,
    { meta: { limit_seconds: limit } },
  );
