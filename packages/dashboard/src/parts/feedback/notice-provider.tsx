import { Notification } from '@mantine/core';
import { type ReactNode, useCallback, useRef, useState } from 'react';
import { useTexts } from '../../i18n/use-texts.ts';
import classes from './notices.module.css';
import { type Notice, NoticeContext, type Notify } from './notices.ts';

const SHOWN_MS = 7_000;
const SHOWN_MAX = 4;

/** The corner where notices appear. Problems stay until the person closes them. */
export function NoticeProvider({ children }: { readonly children: ReactNode }) {
  const [notices, setNotices] = useState<readonly Notice[]>([]);
  const lastId = useRef(0);
  const drop = useCallback(
    (id: number) => setNotices((notices) => notices.filter((notice) => notice.id !== id)),
    [],
  );
  const notify = useCallback<Notify>(
    (text, tone = 'success') => {
      lastId.current += 1;
      const id = lastId.current;
      setNotices((notices) => [...notices, { id, text, tone }].slice(-SHOWN_MAX));
      if (tone === 'success') setTimeout(() => drop(id), SHOWN_MS);
    },
    [drop],
  );
  return (
    <NoticeContext value={notify}>
      {children}
      <NoticeCorner notices={notices} drop={drop} />
    </NoticeContext>
  );
}

interface CornerProps {
  readonly notices: readonly Notice[];
  readonly drop: (id: number) => void;
}

function NoticeCorner({ notices, drop }: CornerProps) {
  const t = useTexts('common');
  return (
    <div className={classes.corner} role="status" aria-live="polite" aria-atomic="false">
      {notices.map(({ id, text, tone }) => (
        <Notification
          key={id}
          role={tone === 'problem' ? 'alert' : undefined}
          color={tone === 'problem' ? 'red' : 'teal'}
          withBorder
          closeButtonProps={{ 'aria-label': `${t('close')}: ${text}` }}
          onClose={() => drop(id)}
        >
          {text}
        </Notification>
      ))}
    </div>
  );
}
