import { useState } from 'react';
import { isProblem, isRefusal } from './errors.ts';

/** Returns a new idempotency key. All attempts at one change use the same key. */
export const newKey = (): string => crypto.randomUUID();

/** Stores one idempotency key for all attempts at a write, until its outcome is known. */
export interface SendKey {
  readonly current: () => string;
  /** Call after a success: the next write gets a new key. */
  readonly done: () => void;
  /** Call after a failure: the key stays if the write may have taken effect. */
  readonly failed: (error: unknown) => void;
}

/**
 * Creates an idempotency key for one write. After an attempt without a response, no later refusal proves that the
 * write had no effect.
 * The key stays until the server confirms the write, or reports that the key was used for another request.
 */
export function createSendKey(): SendKey {
  let key = newKey();
  let mayBeDone = false;
  const onDone = () => {
    key = newKey();
    mayBeDone = false;
  };
  const onFailed = (error: unknown) => {
    if (isProblem(error, 'idempotency_conflict') || (isRefusal(error) && !mayBeDone)) onDone();
    else mayBeDone = true;
  };
  return { current: () => key, done: onDone, failed: onFailed };
}

/** Returns an idempotency key that lives as long as the component. */
export const useSendKey = (): SendKey => useState(createSendKey)[0];
