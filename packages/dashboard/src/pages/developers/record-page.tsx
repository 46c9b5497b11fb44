import type { ReactNode } from 'react';
import { type Fetched, type Parameters, useRecord } from '../../api/queries.ts';
import type { ResourceType } from '../../api/types.ts';
import { Loading } from '../../parts/feedback/loading.tsx';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { useParameter } from '../../parts/page/search.ts';

interface Props<T extends ResourceType> {
  readonly type: T;
  /** The heading until the record is there, and where it does not come. */
  readonly title: string;
  readonly parameters?: Parameters;
  readonly children: (fetched: Fetched<T>, reload: () => void) => ReactNode;
}

/** The page of the record whose id is in the address. */
export function RecordPage<T extends ResourceType>(props: Props<T>) {
  const { type, title, parameters, children } = props;
  const id = useParameter('id');
  const record = useRecord(type, id, parameters);
  if (record.data) return children(record.data, () => void record.refetch());
  return (
    <>
      <PageTitle title={title} />
      {record.error ? (
        <ProblemAlert error={record.error} onRetry={() => void record.refetch()} />
      ) : (
        <Loading />
      )}
    </>
  );
}
