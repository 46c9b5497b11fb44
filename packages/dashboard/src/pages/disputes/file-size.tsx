import { sizeText } from '../../i18n/format-text.ts';
import { useLocale } from '../../i18n/use-texts.ts';

/** Size of a file in kilobytes or megabytes. */
export const FileSize = ({ bytes }: { readonly bytes: number }) => useFileSize()(bytes);

/** Returns a function that formats a number of bytes. */
export function useFileSize(): (bytes: number) => string {
  const locale = useLocale();
  return (bytes) => sizeText(bytes, locale);
}
