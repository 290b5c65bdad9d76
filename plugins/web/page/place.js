import { t } from 'shell'

/** Name of a spool's place. @param {{ place: string, slot: number }} slot */
export const placeOf = ({ place, slot }) => t(`printer.place.${place}`, { number: slot + 1 })
