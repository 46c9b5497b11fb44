import { defineMachine } from '@florin/contract/machines/define-machine.ts';

/** States of a processor account. Only `enabled` accounts take new payments; all keep their open ones. */
export const processorAccountMachine = defineMachine({
  name: 'processor_account',
  initial: 'untested',
  states: {
    untested: { on: { enable: 'enabled', remove: 'removed' } },
    // Pausing first lets other servers learn that the account takes no more payments.
    enabled: { on: { pause: 'paused' } },
    paused: { on: { enable: 'enabled', remove: 'removed' } },
    removed: { on: {} },
  },
});
