/** Receives the progress of a rotation as plain sentences. */
export type ReportProgress = (sentence: string) => void;
