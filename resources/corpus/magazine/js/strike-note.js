// <strike-note>: a small table of a bell's partial tones, drawn in an open shadow root.
class StrikeNote extends HTMLElement {
  connectedCallback() {
    const root = this.attachShadow({ mode: "open" });
    const tones = [
      ["Hum", "an octave below", 0.5],
      ["Prime", "the octave of the hum", 1],
      ["Tierce", "a minor third above", 1.2],
      ["Quint", "a fifth above", 1.5],
      ["Nominal", "an octave above", 2],
    ];
    const rows = tones
      .map(([name, where, ratio]) => {
        const width = 12 + ratio * 118;
        return `<tr><th>${name}</th><td>${where}</td><td class="bar"><i style="width:${width}px"></i></td><td>${Math.round(ratio * 523)} Hz</td></tr>`;
      })
      .join("");
    root.innerHTML = `
      <style>
        section { background: #fff9ee; border: 1px solid #e2d3b6; padding: 18px 22px 16px; font: 14px/1.5 "Helvetica Neue", Arial, "Liberation Sans", "DejaVu Sans Condensed", sans-serif; color: #4a4138; }
        h3 { margin: 0 0 8px; font: 20px Georgia, "Liberation Serif", "DejaVu Serif Condensed", serif; color: #211c18; }
        table { border-collapse: collapse; width: 100%; }
        th { text-align: left; width: 76px; font-weight: bold; padding: 5px 0; }
        td { padding: 5px 8px 5px 0; white-space: nowrap; } td:last-child { text-align: right; padding: 0; }
        i { display: block; height: 9px; border-radius: 5px; background: linear-gradient(90deg, #a0432b, #e0b064); max-width: 250px; }
        p { margin: 10px 0 0; color: #7c7265; font-size: 13px; }
      </style>
      <section>
        <h3>What you hear when it is struck once</h3>
        <table>${rows}</table>
        <p>The ear adds a sixth tone that no instrument can measure: the strike note, which gives the bell its name.</p>
      </section>`;
  }
}
customElements.define("strike-note", StrikeNote);
