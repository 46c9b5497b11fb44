import { defineMachine } from './define-machine.ts';

/**
 * A cardholder authentication by the issuer (3-D Secure). Only the server changes its state: on messages of
 * the directory server, on timeouts, and when the cardholder cancels.
 * - `started`, `fingerprinted`: the issuer's page inspects the browser; the inspection is complete.
 * - `asking`: the request was sent to the issuer. `challenged`: the issuer demands a challenge.
 * - `unauthenticated`: the issuer does not take part or could not decide. The payment may continue
 * without liability shift.
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
