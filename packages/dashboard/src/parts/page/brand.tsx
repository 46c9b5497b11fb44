import { useTexts } from '../../i18n/use-texts.ts';
import classes from './brand.module.css';
import icon from './icon.svg';

interface Props {
  /** Whether the name is left to screen readers where there is little room. */
  readonly yields?: boolean;
}

/** The sign and the name of the application. */
export function Brand({ yields }: Props) {
  const t = useTexts('common');
  return (
    <span className={classes.brand}>
      <img src={icon} width={26} height={26} alt="" />
      <span {...(yields && { className: classes.yields })}>{t('app')}</span>
    </span>
  );
}
