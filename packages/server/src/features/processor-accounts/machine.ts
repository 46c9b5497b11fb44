import { defineMachine } from '@florin/contract/machines/define-machine.ts';

/** States of a processor account. Only `enabled` accounts take new payments; all keep their open ones. */
export const processorAccountMachine = defineMachine({
  name: 'processor_account',
  initial: 'untested',
  states: {
    untested: { on: { enable: 'enabled', remove: 'removed' } },
    enabled: { on: { pause: 'paused', remove: 'removed' } },
    paused: { on: { enable: 'enabled', remove: 'removed' } },
    removed: { on: {} },
  },
});
