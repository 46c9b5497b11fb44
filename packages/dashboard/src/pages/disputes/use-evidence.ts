import { type RefObject, useRef } from 'react';
import { type Draft, type Fetched, useUpdate } from '../../api/queries.ts';
import type { FormHandle } from '../../parts/form/record-form.tsx';
import { useHeld } from '../../parts/form/stale.tsx';

/** The evidence of a dispute while it is written. */
export interface Evidence {
  /** The dispute that the form began with. */
  readonly held: Fetched<'disputes'>;
  /** Another number is another form. */
  readonly version: number;
  readonly form: RefObject<FormHandle | null>;
  readonly error: unknown;
  readonly isPending: boolean;
  /** Whether it is stored; where it is not, `error` says why. */
  save(draft: Draft): Promise<boolean>;
  /** The same with what the form has, if there is one and it has something. */
  saveForm(): Promise<boolean>;
  /** Begins again with what somebody else has written. */
  renew(): void;
}

const isEmpty = ({ attributes = {} }: Draft) => Object.keys(attributes).length === 0;

/** Keeps what is written until it is stored: neither another's change nor a failure takes it away. */
export function useEvidence(fetched: Fetched<'disputes'>, reload: () => void): Evidence {
  const { held, version, takeNext } = useHeld(fetched);
  const form = useRef<FormHandle>(null);
  const update = useUpdate('disputes', held.record.id, held.etag);
  const save = async (draft: Draft) => {
    if (isEmpty(draft)) return true;
    try {
      await update.mutateAsync(draft);
    } catch {
      return false;
    }
    takeNext('kept');
    return true;
  };
  const saveForm = async () => {
    if (!form.current) return true;
    const draft = form.current.draft();
    return draft !== undefined && save(draft);
  };
  const renew = () => {
    update.reset();
    takeNext('anew');
    reload();
  };
  const { error, isPending } = update;
  return { held, version, form, error, isPending, save, saveForm, renew };
}
