import { DateTime } from '../../ui/DateTime.tsx'

/** A day in ISO text, as the reader writes days. */
export const Day = ({ on }: { readonly on: string | null }) => (
  <DateTime at={on === null ? null : new Date(on)} isDay />
)
