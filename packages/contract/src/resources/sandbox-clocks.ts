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
      summary: 'Let time pass',
      description:
        'Of a clock that is `ready`; exactly one of `to` and `by_seconds`. Everything that falls due on the way happens in order, each at its own time, while the clock is `advancing`.',
      needs_fields: true,
      fields: {
        to: {
          type: 'timestamp',
          description: `What time it shall be there: later than it is, by ${ADVANCE_YEARS_MAX} years at most.`,
        },
        by_seconds: {
          type: 'integer',
          min: 1,
          max: ADVANCE_SECONDS_MAX,
          description: 'How far to go from now.',
        },
      },
    },
    remove: {
      summary: 'Remove a clock',
      description:
        'Of a clock that is `ready` and shows the time that what it is for has without it: of a customer, that of the merchant’s clock; else, that of this service. Nothing goes back in time, so one that is ahead of that stays.',
    },
  },
  fields: {
    name: {
      type: 'string',
      create: 'optional',
      max: 100,
      description: 'Tells it from others.',
    },
    status: {
      type: 'enum',
      values: statesOf(sandboxClockMachine),
      always_set: true,
      description:
        '`ready` when the time it was to go to is reached; it then goes on at the ordinary pace. `removed` for good.',
    },
    ahead_seconds: {
      type: 'integer',
      always_set: true,
      description:
        'How far the clock is ahead of the time of this service, which its record is dated by. A new one of a customer begins with that of the merchant.',
    },
    from_at: {
      type: 'timestamp',
      description: 'Where it began its last advance.',
    },
    reached_at: {
      type: 'timestamp',
      description: 'How far it has come: what time it was there when it last moved.',
    },
    target_at: {
      type: 'timestamp',
      description: 'Where it is going; null when it is `ready`.',
    },
    removed_at: {
      type: 'timestamp',
      opaque: true,
      description: 'When it was removed; null while it counts.',
    },
    ...timestamps,
  },
  relations: {
    merchant: { to: 'merchants' },
    customer: {
      to: 'customers',
      create: 'optional',
      description:
        'Whose payments, subscriptions and cards alone have this time; those of all customers without a clock of their own where it is not set.',
    },
  },
});
