import { type EventCode, recipes } from '@florin/contract/triggers/recipes.ts';
import type { TriggerResult } from '@florin/contract/triggers/trigger.ts';
import { Button, NativeSelect, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useScope } from '../../../api/scope.ts';
import type { AnyAttributes, ResourceType, Scope } from '../../../api/types.ts';
import { useEventName } from '../../../i18n/use-event-name.ts';
import { useNames } from '../../../i18n/use-names.ts';
import { useTexts } from '../../../i18n/use-texts.ts';
import { ProblemAlert } from '../../../parts/feedback/problem-alert.tsx';
import { ScopedLink } from '../../../parts/page/links.tsx';
import { recordPath } from '../../../parts/page/record-path.ts';
import { Section } from '../../../parts/record/section.tsx';
import { useRecordName } from '../../../parts/record/use-record-name.ts';
import { EventName } from '../../../parts/value/event-name.tsx';
import { runTrigger } from './run-trigger.ts';

const codes = Object.keys(recipes) as EventCode[];

/** Creates real sandbox records that lead to an event. */
export function Triggers() {
  const t = useTexts('developers');
  const nameOf = useEventName();
  const help = useTexts('help');
  const textOf = (text: string) => help.find(text) ?? text;
  const scope = useScope();
  const [code, setCode] = useState<EventCode>('transaction.payment_demands.succeeded');
  const recipe = recipes[code];
  const isRefused = 'refused' in recipe;
  const trigger = useMutation({
    mutationFn: ({ event, of: scope }: { event: EventCode; of: Scope }) => runTrigger(scope, event),
  });
  return (
    <Stack align="flex-start" maw={640}>
      <NativeSelect
        label={t('trigger_event')}
        description={
          isRefused ? textOf(recipe.refused) : t('trigger_makes', { what: textOf(recipe.makes) })
        }
        value={code}
        onChange={({ currentTarget }) => setCode(currentTarget.value as EventCode)}
        data={codes.map((value) => ({ value, label: `${nameOf(value)} (${value})` }))}
        w="100%"
      />
      <Button
        loading={trigger.isPending}
        disabled={isRefused}
        onClick={() => trigger.mutate({ event: code, of: scope })}
      >
        {t('trigger_run')}
      </Button>
      {trigger.error && <TriggerProblem error={trigger.error} />}
      {trigger.data && <Result result={trigger.data} />}
    </Stack>
  );
}

/** A missing event is no error of the server, so it has a message of its own. */
function TriggerProblem({ error }: { readonly error: Error }) {
  return error.name === 'TriggerFailure' ? (
    <Text role="alert" c="red">
      {error.message}
    </Text>
  ) : (
    <ProblemAlert error={error} />
  );
}

function Result({ result: { made, events } }: { readonly result: TriggerResult }) {
  const t = useTexts('developers');
  const names = useNames();
  const nameOf = useRecordName();
  return (
    <div role="status">
      <Section title={t('trigger_result')}>
        <Text fw={600} size="sm">
          {t('trigger_made')}
        </Text>
        <Text component="ul" size="sm" pl="lg">
          {made.map(({ id, type, attributes }) => (
            <li key={id}>
              <ScopedLink to={recordPath(type as ResourceType, id)}>
                {titleOf(names.type(type), nameOf(attributes as AnyAttributes))}
              </ScopedLink>
            </li>
          ))}
        </Text>
        <Text fw={600} size="sm">
          {t('trigger_told')}
        </Text>
        <Text component="ul" size="sm" pl="lg">
          {events.map(({ code, id }) => (
            <li key={`${code} ${id}`}>
              <EventName code={code} />
            </li>
          ))}
        </Text>
      </Section>
    </div>
  );
}

/** Name of a record with its type: `Ada Lovelace (Customers)`. */
const titleOf = (type: string, name: string | undefined): string =>
  name ? `${name} (${type})` : type;
