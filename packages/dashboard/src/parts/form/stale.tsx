import { Alert, Button } from '@mantine/core';
import { useState } from 'react';
import { isStatus } from '../../api/errors.ts';
import { useTexts } from '../../i18n/use-texts.ts';

/** Whether inputs stay or restart when the record is read again. */
type InputChange = 'kept' | 'restarted';

/** Returns the record as it was when the form appeared, so that background reads do not change the inputs. */
export function useEditedRecord<F extends { readonly etag: string | undefined }>(fetched: F) {
  const [{ edited, version }, setEdited] = useState({ edited: fetched, version: 0 });
  const [awaited, setAwaited] = useState<InputChange>();
  if (awaited && fetched.etag !== edited.etag) {
    setEdited({ edited: fetched, version: awaited === 'restarted' ? version + 1 : version });
    setAwaited(undefined);
  }
  return { edited, version, takeNext: (how: InputChange) => setAwaited(how) };
}

const STALE = 412;

/** Whether another person changed the record after the form appeared. */
export const isStale = (error: unknown): boolean => isStatus(error, STALE);

/** Reports a concurrent change and offers to load it. */
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
