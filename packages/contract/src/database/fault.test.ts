import { expect, it } from 'vitest';
import { databaseFaultOf, isConnectionError, SilenceError } from './fault.ts';

const errorOf = (message: string, code?: string): Error =>
  Object.assign(new Error(message), code && { code });

it.each([
  ['no answer to a statement', new SilenceError(1), 'silent'],
  ['no answer to TCP', errorOf('read ETIMEDOUT', 'ETIMEDOUT'), 'silent'],
  ['a text that pg writes', errorOf('Connection terminated unexpectedly'), 'connection_broken'],
  ['no TLS', errorOf('The server does not support SSL connections'), 'tls_not_supported'],
  ['a start', errorOf('the database system is starting up', '57P03'), 'starting'],
  ['a shutdown', errorOf('terminating connection', '57P01'), 'connection_broken'],
  ['a write to a standby', errorOf('cannot execute INSERT', '25006'), 'read_only'],
  ['an expired certificate', errorOf('expired', 'CERT_HAS_EXPIRED'), 'certificate_not_valid'],
])('%s is a fault: %o', (_what, error, fault) => {
  expect(databaseFaultOf(error)).toBe(fault);
});

it.each([
  'due to connection timeout',
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'does not support SSL',
])("a caller's text in a database error is not read as a fault: %s", (text) => {
  const error = errorOf(`invalid input syntax for type uuid: "${text}"`, '22P02');
  expect([databaseFaultOf(error), isConnectionError(error)]).toEqual([undefined, false]);
});
