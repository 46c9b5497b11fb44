import { Anchor } from '@mantine/core';
import { useTexts } from '../../i18n/use-texts.ts';

/** Whether an address may be a link: what others wrote may begin with `javascript:`. */
export const isWebAddress = (text: string): boolean => {
  const url = URL.parse(text);
  return url?.protocol === 'https:' || url?.protocol === 'http:';
};

/** An address that somebody wrote: a link in a new window where it is one of the web, text otherwise. */
export function SafeLink({ href }: { readonly href: string }) {
  const t = useTexts('common');
  if (!isWebAddress(href)) return <span>{href}</span>;
  return (
    <Anchor href={href} target="_blank" rel="noopener noreferrer" title={t('new_window')}>
      {href}
    </Anchor>
  );
}
