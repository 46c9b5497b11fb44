import { useLocale } from '../../i18n/use-texts.ts';

const KILOBYTE = 1_000;
const MEGABYTE = 1_000_000;

/** Size of a file in kilobytes or megabytes. */
export const FileSize = ({ bytes }: { readonly bytes: number }) => useFileSize()(bytes);

/** Returns a function that formats a number of bytes. */
export function useFileSize(): (bytes: number) => string {
  const locale = useLocale();
  return (bytes) => {
    const isLarge = bytes >= MEGABYTE;
    return new Intl.NumberFormat(locale, {
      style: 'unit',
      unit: isLarge ? 'megabyte' : 'kilobyte',
      maximumFractionDigits: 1,
    }).format(bytes / (isLarge ? MEGABYTE : KILOBYTE));
  };
}
