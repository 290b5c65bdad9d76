/** Reasons that some commands are turned away with by a small negative number alone. */
const REASONS: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  ams_change_filament: {
    [-2]: 'the chamber is too hot for that filament; let it cool down first',
    [-4]: 'the AMS is too hot; let it cool down first',
    [-9]: 'the AMS is drying; stop that first'
  },
  set_ctt: {
    [-2]: 'a filament that is loaded does not stand such a warm chamber; unload it first',
    [-4]: 'the chamber is not heated below 40 °C; the target counts as off'
  }
}

/** The words for a command's reason number; undefined when nobody has documented it. */
export const errnoReason = (command: string, errno: number): string | undefined => REASONS[command]?.[errno]
