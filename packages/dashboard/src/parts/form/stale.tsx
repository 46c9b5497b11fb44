import { Alert, Button } from '@mantine/core';
import { useState } from 'react';
import { isStatus } from '../../api/errors.ts';
import { useTexts } from '../../i18n/use-texts.ts';

/** Whether the inputs stay as they are when the record is held anew, or begin again with it. */
type Taking = 'kept' | 'anew';

/** The record as it was when the form appeared: what is read again meanwhile changes nothing below somebody's hands. */
export function useHeld<F extends { readonly etag: string | undefined }>(fetched: F) {
  const [{ held, version }, hold] = useState({ held: fetched, version: 0 });
  const [awaited, takeNext] = useState<Taking>();
  if (awaited && fetched.etag !== held.etag) {
    hold({ held: fetched, version: awaited === 'anew' ? version + 1 : version });
    takeNext(undefined);
  }
  return { held, version, takeNext: (how: Taking) => takeNext(how) };
}

const STALE = 412;

/** Whether somebody else has changed the record since the form appeared. */
export const isStale = (error: unknown): boolean => isStatus(error, STALE);

/** Says that somebody else was faster, and offers what they have written. */
export function Stale({ onReload }: { readonly onReload: () => void }) {
  const t = useTexts('records');
  return (
    <Alert color="yellow" title={t('stale')}>
      <Button size="xs" variant="default" onClick={onReload}>
        {t('stale_reload')}
      </Button>
    </Alert>
  );
}
