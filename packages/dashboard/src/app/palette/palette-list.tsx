import { useEffect } from 'react';
import { useTexts } from '../../i18n/use-texts.ts';
import { Icon } from '../../parts/value/icon.tsx';
import { type PaletteGroup, type PaletteItem, selectableItems } from './item.ts';
import classes from './palette.module.css';

interface Props {
  readonly id: string;
  readonly groups: readonly PaletteGroup[];
  readonly active: PaletteItem;
  readonly optionId: (item: PaletteItem) => string;
  readonly onActive: (id: string) => void;
  readonly onChoose: (item: PaletteItem) => void;
}

/** Results in groups. The search field names the marked one for screen readers. */
export function PaletteList({ id, groups, active, optionId, onActive, onChoose }: Props) {
  const t = useTexts('palette');
  const activeOption = optionId(active);
  useEffect(() => {
    document.getElementById(activeOption)?.scrollIntoView({ block: 'nearest' });
  }, [activeOption]);
  return (
    <div id={id} role="listbox" aria-label={t('results')}>
      {groups.map((group) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a listbox.
        <div key={group.id} role="group" aria-labelledby={`${id}-${group.id}`}>
          <div id={`${id}-${group.id}`} className={classes.title}>
            {group.title}
          </div>
          {selectableItems(group).map((item) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the search field handles the keys.
            <div
              key={item.id}
              id={optionId(item)}
              role="option"
              tabIndex={-1}
              aria-selected={item.id === active.id}
              className={classes.option}
              onMouseMove={() => onActive(item.id)}
              // Keeps the focus in the search field.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onChoose(item)}
            >
              <Icon name={item.icon} />
              <span className={classes.texts}>
                <span className={classes.text}>{item.text}</span>
                {item.detail && <span className={classes.detail}>{item.detail}</span>}
              </span>
              {item.aside}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
