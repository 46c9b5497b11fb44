import { defineMachine } from './define-machine.ts';

/**
 * One authentication of a cardholder by the card's bank (3-D Secure). The server alone moves it: by what the
 * directory server answers and sends, by its own clock, and by the cardholder giving up.
 *
 * - `started`, `fingerprinted`: the bank's page looks at the browser, and has said that it is done.
 * - `asking`: the bank has been asked. `challenged`: it wants to hear from the cardholder first.
 * - `unauthenticated`: the bank does not take part or could not tell; the payment may go on without its guarantee.
 */
export const authenticationMachine = defineMachine({
  name: 'authentication',
  initial: 'started',
  states: {
    started: { on: { fingerprint: 'fingerprinted', ask: 'asking', abandon: 'abandoned' } },
    fingerprinted: { on: { ask: 'asking', abandon: 'abandoned' } },
    asking: {
      on: {
        authenticate: 'authenticated',
        skip: 'unauthenticated',
        refuse: 'failed',
        challenge: 'challenged',
        abandon: 'abandoned',
        break: 'errored',
      },
    },
    challenged: {
      on: {
        authenticate: 'authenticated',
        refuse: 'failed',
        abandon: 'abandoned',
        expire: 'timed_out',
        break: 'errored',
      },
    },
    authenticated: { on: {} },
    unauthenticated: { on: {} },
    failed: { on: {} },
    abandoned: { on: {} },
    timed_out: { on: {} },
    errored: { on: {} },
  },
});
