import { createContext, use } from 'react';

type Tone = 'success' | 'problem';

/** Reports the result of an action, visibly and to screen readers. */
export type Notify = (text: string, tone?: Tone) => void;

export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly tone: Tone;
}

export const NoticeContext = createContext<Notify>(() => {});

export const useNotify = (): Notify => use(NoticeContext);
