import { Anchor } from '@mantine/core';
import { type MouseEvent, type ReactNode, use } from 'react';
import { useTexts } from '../../i18n/use-texts.ts';
import { InLink } from './in-link.ts';
import classes from './value.module.css';

/** Whether a text is an http or https URL. User input may begin with `javascript:`. */
export const isWebAddress = (text: string): boolean => {
  const url = URL.parse(text);
  return url?.protocol === 'https:' || url?.protocol === 'http:';
};

interface NewWindowProps {
  readonly href: string;
  readonly className?: string | undefined;
  /** Size of the text around the link, in place of that of links. */
  readonly fz?: 'inherit';
  readonly onClick?: (event: MouseEvent<HTMLAnchorElement>) => void;
  readonly children: ReactNode;
}

/** A link that opens a new window. Without a web address, only its text. */
export function NewWindowLink({ href, className, fz, onClick, children }: NewWindowProps) {
  const t = useTexts('common');
  if (!isWebAddress(href)) return children;
  const props = { ...(className && { className }), ...(fz && { fz }), ...(onClick && { onClick }) };
  return (
    <Anchor
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      title={t('new_window')}
      {...props}
    >
      {children}
    </Anchor>
  );
}

/** A URL that a user entered: a link in a new window for http and https, otherwise text. */
export function SafeLink({ href, text }: { readonly href: string; readonly text?: string }) {
  if (use(InLink) || !isWebAddress(href)) return <span className={classes.text}>{href}</span>;
  return (
    <NewWindowLink href={href} className={classes.text} fz="inherit">
      {text ?? href}
    </NewWindowLink>
  );
}
