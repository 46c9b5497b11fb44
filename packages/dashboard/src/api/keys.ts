import { useState } from 'react';
import { isProblem, isRefusal } from './errors.ts';

/** A new idempotency key: one for each time that a person sets out to do something. */
export const newKey = (): string => crypto.randomUUID();

/** The key of something that a person sets out to do, again and again until it is known how that ended. */
export interface SendKey {
  readonly current: () => string;
  /** It was done: what is sent next is something else. */
  readonly done: () => void;
  /** It failed: the key is kept where it may have been done nevertheless. */
  readonly failed: (error: unknown) => void;
}

/**
 * Once a try was not answered, no later refusal says that nothing was done: the key stays until the server has done it,
 * or says that the key was used for something else, whereupon the person has been told to look.
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
