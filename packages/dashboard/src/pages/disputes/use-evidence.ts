import { type RefObject, useRef } from 'react';
import { type Draft, type FetchedRecord, useUpdate } from '../../api/queries.ts';
import type { FormHandle } from '../../parts/form/record-form.tsx';
import { useEditedRecord } from '../../parts/form/stale.tsx';

/** Evidence of a dispute during editing. */
export interface Evidence {
  /** Dispute as it was when the form was filled. */
  readonly edited: FetchedRecord<'disputes'>;
  /** React key of the form: a new number resets the form. */
  readonly version: number;
  readonly form: RefObject<FormHandle | null>;
  readonly error: unknown;
  readonly isPending: boolean;
  /** Stores a draft. Resolves to whether it is stored; otherwise `error` has the reason. */
  save(draft: Draft): Promise<boolean>;
  /** Stores the form's input, if the form has unsaved input. */
  saveForm(): Promise<boolean>;
  /** Fills the form again with the evidence that another person saved. */
  renew(): void;
}

const isEmpty = ({ attributes = {} }: Draft) => Object.keys(attributes).length === 0;

/** Holds evidence until it is stored, despite concurrent changes and failures. */
export function useEvidence(fetched: FetchedRecord<'disputes'>, reload: () => void): Evidence {
  const { edited, version, takeNext } = useEditedRecord(fetched);
  const form = useRef<FormHandle>(null);
  const update = useUpdate('disputes', edited.record.id, edited.etag);
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
  const renewEvidence = () => {
    update.reset();
    takeNext('restarted');
    reload();
  };
  const { error, isPending } = update;
  return { edited, version, form, error, isPending, save, saveForm, renew: renewEvidence };
}
