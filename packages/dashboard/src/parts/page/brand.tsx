import { useTexts } from '../../i18n/use-texts.ts';
import classes from './brand.module.css';
import icon from './icon.svg';

interface Props {
  /** Whether narrow screens hide the name; screen readers still read it. */
  readonly yields?: boolean;
}

export function Brand({ yields }: Props) {
  const t = useTexts('common');
  return (
    <span className={classes.brand}>
      <img src={icon} width={26} height={26} alt="" />
      <span {...(yields && { className: classes.yields })}>{t('app')}</span>
    </span>
  );
}
