import { statesOf } from '../machines/define-machine.ts';
import { sandboxClockMachine } from '../machines/sandbox-clock.ts';
import { defineResource, timestamps } from './define-resource.ts';

const YEAR_SECONDS = 366 * 86_400;
/** Longest advance of a clock. */
export const ADVANCE_YEARS_MAX = 10;
export const ADVANCE_SECONDS_MAX = ADVANCE_YEARS_MAX * YEAR_SECONDS;
/** Largest offset of a clock from the system clock. */
export const AHEAD_SECONDS_MAX = 100 * YEAR_SECONDS;

export const sandboxClocks = defineResource({
  type: 'sandbox_clocks',
  summary: 'The time in the sandbox, for a merchant or one customer',
  owner: 'mode',
  few: 100,
  ended: 'removed_at',
  group: 'developer',
  operations: ['list', 'fetch', 'create'],
  actions: {
    advance: {
      summary: 'Advance the clock',
      description:
        'Needs the status `ready`, and either `to` or `by_seconds`. Florin runs everything that falls due in order, each at its own time. Meanwhile the clock is `advancing`.',
      needs_fields: true,
      fields: {
        to: {
          type: 'timestamp',
          description: `The new time of the clock: later than now, by ${ADVANCE_YEARS_MAX} years at most.`,
        },
        by_seconds: {
          type: 'integer',
          min: 1,
          max: ADVANCE_SECONDS_MAX,
          description: 'Seconds to advance.',
        },
      },
    },
    remove: {
      summary: 'Remove the clock',
      description:
        'Needs the status `ready` and the time that applies without the clock. Time never moves back, so an advanced clock stays.',
    },
  },
  fields: {
    name: {
      type: 'string',
      create: 'optional',
      max: 100,
      description: 'Name of the clock.',
    },
    status: {
      type: 'enum',
      values: statesOf(sandboxClockMachine),
      always_set: true,
      description:
        '`ready` when it has reached its target; it then runs at normal speed. `removed` is final.',
    },
    ahead_seconds: {
      type: 'integer',
      always_set: true,
      description:
        'Seconds by which the clock is ahead of the system clock. A customer’s new clock starts with the merchant’s.',
    },
    from_at: {
      type: 'timestamp',
      description: 'Time at which the last advance started.',
    },
    reached_at: {
      type: 'timestamp',
      description: 'Time that the clock has reached.',
    },
    target_at: {
      type: 'timestamp',
      description: 'Target of the advance; null when `ready`.',
    },
    removed_at: {
      type: 'timestamp',
      opaque: true,
      description: 'Time of removal; null while it is active.',
    },
    ...timestamps,
  },
  relations: {
    merchant: { to: 'merchants' },
    customer: {
      to: 'customers',
      create: 'optional',
      description:
        'The customer whose payments, subscriptions and cards follow this clock. Null: all customers without their own clock.',
    },
  },
});
