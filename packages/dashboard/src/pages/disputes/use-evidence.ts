import { type RefObject, useRef } from 'react';
import { type Draft, type Fetched, useUpdate } from '../../api/queries.ts';
import type { FormHandle } from '../../parts/form/record-form.tsx';
import { useHeld } from '../../parts/form/stale.tsx';

/** Evidence of a dispute during editing. */
export interface Evidence {
  /** The dispute that the form started from. */
  readonly held: Fetched<'disputes'>;
  /** Key of the form: a new number resets it. */
  readonly version: number;
  readonly form: RefObject<FormHandle | null>;
  readonly error: unknown;
  readonly isPending: boolean;
  /** Resolves to whether the draft is stored; otherwise `error` says why. */
  save(draft: Draft): Promise<boolean>;
  /** Saves the form's content, if there is any. */
  saveForm(): Promise<boolean>;
  /** Restarts from what somebody else saved. */
  renew(): void;
}

const isEmpty = ({ attributes = {} }: Draft) => Object.keys(attributes).length === 0;

/** Keeps input until it is stored, through concurrent changes and failures. */
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
    takeNext('restarted');
    reload();
  };
  const { error, isPending } = update;
  return { held, version, form, error, isPending, save, saveForm, renew };
}
