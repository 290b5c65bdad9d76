import { t } from 'shell'

/** Where a spool is, in words. @param {{ place: string, slot: number }} slot */
export const placeOf = ({ place, slot }) => t(`printer.place.${place}`, { number: slot + 1 })
