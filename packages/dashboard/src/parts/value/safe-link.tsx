import { Anchor } from '@mantine/core';
import { use } from 'react';
import { useTexts } from '../../i18n/use-texts.ts';
import { InLink } from './in-link.ts';
import classes from './value.module.css';

/** Whether a text is an http or https URL. User input may begin with `javascript:`. */
export const isWebAddress = (text: string): boolean => {
  const url = URL.parse(text);
  return url?.protocol === 'https:' || url?.protocol === 'http:';
};

/** A URL that a user entered: a link in a new window for http and https, otherwise text. */
export function SafeLink({ href, text }: { readonly href: string; readonly text?: string }) {
  const t = useTexts('common');
  if (use(InLink) || !isWebAddress(href)) return <span className={classes.text}>{href}</span>;
  return (
    <Anchor
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      title={t('new_window')}
      fz="inherit"
      className={classes.text ?? ''}
    >
      {text ?? href}
    </Anchor>
  );
}
