import { useState } from 'react';
import { isProblem, isRefusal } from './errors.ts';

/** Returns a new idempotency key; one for each thing that a person sets out to do. */
export const newKey = (): string => crypto.randomUUID();

/** Keeps one idempotency key over all attempts until the outcome is known. */
export interface SendKey {
  readonly current: () => string;
  /** The write succeeded: the next send is a new one. */
  readonly done: () => void;
  /** The write failed: the key stays if the write may have taken effect. */
  readonly failed: (error: unknown) => void;
}

/**
 * After an attempt without an answer, no later refusal proves that nothing was done. The key stays until the server
 * confirms, or reports that the key was used for another request.
 */
export function createSendKey(): SendKey {
  let key = newKey();
  let mayBeDone = false;
  const done = () => {
    key = newKey();
    mayBeDone = false;
  };
  const failed = (error: unknown) => {
    if (isProblem(error, 'idempotency_conflict') || (isRefusal(error) && !mayBeDone)) done();
    else mayBeDone = true;
  };
  return { current: () => key, done, failed };
}

/** A key that lives as long as the component. */
export const useSendKey = (): SendKey => useState(createSendKey)[0];
