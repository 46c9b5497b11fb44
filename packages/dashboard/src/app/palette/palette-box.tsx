import { SEARCH_TEXT_MAX } from '@florin/contract/search.ts';
import { VisuallyHidden } from '@mantine/core';
import { type KeyboardEvent, Suspense, useEffect, useId, useRef, useState } from 'react';
import { useTexts } from '../../i18n/use-texts.ts';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { Icon } from '../../parts/value/icon.tsx';
import { type PaletteGroup, type PaletteItem, selectableItems } from './item.ts';
import classes from './palette.module.css';
import { PaletteList } from './palette-list.tsx';
import { storeRecent } from './recent.ts';
import type { KeysAhead } from './typed-ahead.ts';
import { useCommandGroups, useRecentOwner } from './use-command-groups.ts';
import { type FoundRecords, useFoundRecords } from './use-found-records.tsx';

interface Props {
  /** Called before an item runs, with whether the item opens a page. */
  readonly onChosen: (opensPage: boolean) => void;
  /** The keys typed before the field shows them. */
  readonly ahead: KeysAhead;
}

/** Search field with its results. The focus stays in the field; the arrow keys move through the results. */
export function PaletteBox({ onChosen, ahead }: Props) {
  const t = useTexts('palette');
  const listId = useId();
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const found = useFoundRecords(text);
  const groups = [...useCommandGroups(text), ...found.groups];
  const { active, activate, onKeyDown, choose, enter } = useChoice(groups, found, onChosen);
  // The dialog may have taken the focus before the texts of the field were loaded.
  useEffect(() => field.current?.focus(), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each text that the field shows.
  useEffect(() => {
    const typed = ahead.read();
    if (!typed) return;
    // The field must show these keys before it gets others: a key would replace a text that React has not drawn yet.
    if (typed.text !== text) return setText(typed.text);
    ahead.stop();
    if (typed.text && typed.isEntered) enter();
  }, [text]);
  const optionId = (item: PaletteItem): string => `${listId} ${item.id}`.replaceAll(' ', '-');
  const isListed = active !== undefined;
  return (
    <>
      <div className={classes.field}>
        <Icon name="search" />
        <input
          ref={field}
          data-autofocus
          className={classes.input}
          role="combobox"
          aria-label={t('label')}
          aria-autocomplete="list"
          aria-expanded={isListed}
          aria-controls={isListed ? listId : undefined}
          aria-activedescendant={active && optionId(active)}
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="go"
          maxLength={SEARCH_TEXT_MAX}
          placeholder={t('placeholder')}
          value={text}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value);
            activate(undefined);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div className={classes.results} aria-busy={found.isPending}>
        {/* Rows load texts of their own. Suspending the field too would hide it and lose its focus. */}
        <Suspense fallback={<p className={classes.note}>{t('searching')}</p>}>
          {isListed && (
            <PaletteList
              id={listId}
              groups={groups}
              active={active}
              optionId={optionId}
              onActive={activate}
              onChoose={choose}
            />
          )}
          <Outcome text={text} groups={groups} found={found} />
        </Suspense>
      </div>
      <p className={classes.keys}>{t('keys')}</p>
    </>
  );
}

/** The marked item, and the keys that move the mark. Enter waits for the results of the text. */
function useChoice(
  groups: readonly PaletteGroup[],
  { isPending }: FoundRecords,
  onChosen: Props['onChosen'],
) {
  const owner = useRecentOwner();
  const [activeId, setActiveId] = useState<string>();
  const [isWaiting, setWaiting] = useState(false);
  const items = groups.flatMap(selectableItems);
  const active = items.find(({ id }) => id === activeId) ?? items[0];
  const choose = (item: PaletteItem): void => {
    storeRecent(owner, item);
    onChosen(item.opens_page);
    item.run();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the awaited results are there.
  useEffect(() => {
    if (!isWaiting || isPending) return;
    setWaiting(false);
    if (active) choose(active);
  }, [isWaiting, isPending]);
  const move = (step: number): void => {
    const next = items.indexOf(active as PaletteItem) + step;
    setActiveId(items.at(next % items.length)?.id);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key } = event;
    if (event.nativeEvent.isComposing || !['ArrowDown', 'ArrowUp', 'Enter'].includes(key)) return;
    event.preventDefault();
    const isFoundLater = isPending && (!active || active.recent_path !== undefined);
    if (key !== 'Enter') move(key === 'ArrowDown' ? 1 : -1);
    else if (isFoundLater) setWaiting(true);
    else if (active) choose(active);
  };
  const activate = (id: string | undefined): void => {
    setActiveId(id);
    setWaiting(false);
  };
  return { active, activate, onKeyDown, choose, enter: () => setWaiting(true) };
}

interface OutcomeProps {
  readonly text: string;
  readonly groups: readonly PaletteGroup[];
  readonly found: FoundRecords;
}

/** Says how many results there are, or why there are none. */
function Outcome({ text, groups, found }: OutcomeProps) {
  const t = useTexts('palette');
  const count = groups.reduce((sum, { items }) => sum + items.length, 0);
  if (found.error) return <ProblemAlert error={found.error} />;
  if (found.isPending && count === 0) return <p className={classes.note}>{t('searching')}</p>;
  return (
    <div role="status">
      {found.isIncomplete && <p className={classes.note}>{t('incomplete')}</p>}
      {count > 0 ? (
        <VisuallyHidden>{t.count('found', count)}</VisuallyHidden>
      ) : (
        <p className={classes.note}>{t('none', { text: text.trim() })}</p>
      )}
    </div>
  );
}
