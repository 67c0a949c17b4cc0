"""Tables 7.2 to 7.6 and Figure 7.6 of Gottron's dissertation, on the sites of the data sets folder.

Run with ``pytest tests/bench/test_bench_templates.py -s``; takes minutes.  A number a table is read
for is asserted, loosely; nothing is asserted of single sites.
"""

import json
import time

import numpy as np
import pytest

from algorithms.core.catalogue import method
from algorithms.measures.text import score_text
from algorithms.plugins.site.clustering import single_linkage
from algorithms.plugins.site.distances import DISTANCES, distance
from algorithms.plugins.site.methods import BOOTSTRAPPED, DETECTORS
from algorithms.results import Extraction
from algorithms.templates.site import Site
from engine.source import Source
from tests.bench import template_clusters as indices

pytestmark = pytest.mark.slow

SITES = ("calcite", "datascience1", "flink", "httpd", "numpy", "sqlite", "xstream")

_SHARED_GENERATOR = "javadoc"
"""How families begin whose pages two sites have from one generator: no structure tells them."""


class Loaded:
    """A site with its labels and gold."""

    def __init__(self, folder):
        about = json.loads((folder / "site.json").read_text("utf-8"))
        entries = about["pages"]
        self.name = folder.name
        self.site = Site.of(
            (e["url"], Source.from_bytes((folder / "pages" / e["path"]).read_bytes()))
            for e in entries
        )
        self.template = [e["template"] for e in entries]
        self.family = [e["family"] for e in entries]
        mixed = {name for name, t in about["templates"].items() if t.get("mixed")}
        self.clean = [k for k, name in enumerate(self.template) if name not in mixed]
        self.gold = {
            k: (folder / "gold" / f"{e['path']}.txt").read_text("utf-8")
            for k, e in enumerate(entries)
            if e["gold"]
        }


@pytest.fixture(scope="module")
def sites(datasets):
    return [Loaded(datasets / "sites" / name) for name in SITES]


@pytest.fixture(scope="module")
def matrices(sites):
    """Distances of all pages of all sites, by key; a site's are a square of these."""
    every = [source for site in sites for source in site.site.sources]
    for source in every:
        source.tree  # noqa: B018
    result = {}
    print(f"\n\nTime for the distances of {len(every)} pages")
    for entry in DISTANCES:
        start = time.perf_counter()
        result[entry.key] = entry.matrix(every)
        print(f"  {entry.key:<10}{time.perf_counter() - start:9.2f} s")
    return result


def numbers(labels):
    return np.unique(labels, return_inverse=True)[1]


def line(name, labels, known):
    return (
        f"{name} {int(labels.max()) + 1:>3} clusters  Rand {indices.rand(labels, known):.4f}"
        f"  purity {indices.average_purity(labels, known):.4f}"
        f"  MI {indices.mutual_information(labels, known):.4f}"
        f"  ARI {indices.adjusted_rand(labels, known):.3f}"
    )


def told(title, matrices, places, labels):
    """Print all that Tables 7.2 to 7.5 say of some pages; return Rand by key and way."""
    known = numbers(labels)
    k = int(known.max()) + 1
    print(f"\n{title}: {len(places)} pages, {k} templates")
    result = {}
    for key, whole in matrices.items():
        matrix = whole[np.ix_(places, places)]
        dunn, silhouette = indices.dunn(matrix, known), indices.silhouette(matrix, known)
        print(f"  {key:<10} Dunn {dunn:.4f}  silhouette {silhouette:.3f}")
        tree = single_linkage(matrix)
        starts = indices.k_median(matrix, k).labels
        mean = np.mean(
            [
                (
                    indices.rand(each, known),
                    indices.average_purity(each, known),
                    indices.mutual_information(each, known),
                )
                for each in starts
            ],
            axis=0,
        )
        print("    k-median      Rand {:.4f}  purity {:.4f}  MI {:.4f}".format(*mean))
        print("    " + line("linkage k    ", tree.at([-1.0, *tree.heights][tree.size - k]), known))
        result[key, "k"] = indices.rand(tree.at([-1.0, *tree.heights][tree.size - k]), known)
        threshold = distance(key).threshold
        if threshold is not None:
            labels_at = tree.at(threshold)
            print("    " + line(f"linkage <={threshold:<4}", labels_at, known))
            result[key, "threshold"] = indices.rand(labels_at, known)
        gap = tree.widest_gap
        print("    " + line(f"widest gap {gap:.4g}", tree.at(gap), known))
    return result


def test_clusters_of_templates_on_each_site(sites, matrices):
    first = 0
    for site in sites:
        positions = [first + k for k in site.clean]
        for kind in ("template", "family"):
            labels = [getattr(site, kind)[k] for k in site.clean]
            if len(set(labels)) > 1:
                told(f"{site.name} by {kind}", matrices, positions, labels)
        first += len(site.site)


def test_pages_of_all_sites_are_clustered_by_site(sites, matrices):
    site_of = [site.name for site in sites for _ in site.template]
    family = [(site.name, name) for site in sites for name in site.family]
    told("All sites mixed, by site", matrices, range(len(site_of)), site_of)
    own = [k for k, (_, label) in enumerate(family) if not label.startswith(_SHARED_GENERATOR)]
    result = told(
        "Without the pages of a generator that two sites share, by site",
        matrices,
        own,
        [site_of[k] for k in own],
    )
    assert result["ctss", "threshold"] == 1.0
    joined = [" ".join(pair) for pair in family]
    told("All sites mixed, by site and family", matrices, range(len(site_of)), joined)
    largest = {site.name: max(sorted(set(site.family)), key=site.family.count) for site in sites}
    main = [k for k, (name, label) in enumerate(family) if largest[name] == label]
    result = told(
        "The largest family of each site, by site", matrices, main, [site_of[k] for k in main]
    )
    for key in ("ctss", "cp-class", "cps-class"):
        assert result[key, "k"] == result[key, "threshold"] == 1.0
    assert result["cps", "k"] == 1.0


def test_comparing_500_pages_takes_under_a_minute(sites):
    """500 pages of 100 kB: CP, CPS, CTSS and TV together in under a minute, reading included."""
    every = [source.html for site in sites for source in site.site.sources]
    wide = [html for html in every if len(html) > 30_000]
    large = [(wide[k % len(wide)] * 9)[:100_000] for k in range(500)]
    print("\nSeconds by number of pages of 100 kB")
    print("  pages   read " + "".join(f"{key:>10}" for key in ("tv", "cp", "cps", "ctss", "lcts")))
    for count in (62, 125, 250, 500):
        pages = [Source.from_text(f"{html}<!-- {k} -->") for k, html in enumerate(large[:count])]
        start = time.perf_counter()
        for page in pages:
            page.tree  # noqa: B018
        spent = {"read": time.perf_counter() - start}
        for key in ("tv", "cp", "cps", "ctss", "lcts"):
            start = time.perf_counter()
            distance(key).matrix(pages)
            spent[key] = time.perf_counter() - start
        print(f"  {count:>5}" + "".join(f"{seconds:>10.2f}" for seconds in spent.values()))
    assert spent["read"] + sum(spent[key] for key in ("tv", "cp", "cps", "ctss")) < 60


def table_7_6(name, sites, extract):
    """Print a method's precision, recall and F1 by site; return the mean F1 of the sites."""
    start = time.perf_counter()
    means = []
    for site in sites:
        scores = []
        for page, gold in site.gold.items():
            at = site.site.at(page)
            nothing = np.zeros((0, 2), dtype=np.int32)
            result = score_text(extract(at), Extraction(at.source, nothing, given=gold)).ws
            scores.append((result.precision, result.recall, result.f1))
        means.append(np.mean(scores, axis=0))
    cells = "  ".join("{:.3f} {:.3f} {:.3f}".format(*mean) for mean in means)
    total = float(np.mean([mean[2] for mean in means]))
    print(f"  {name:<32}{total:.3f}  {cells}  {time.perf_counter() - start:6.1f} s")
    return total


def test_site_outscores_all_detectors_and_methods_on_one_page(sites):
    names = "  ".join(f"{name[:12]:<17}" for name in SITES)
    print(f"\nWord F1: mean of sites, then P R F1 by site\n  {'':<37}  {names}")
    result = {}
    for key in ("plain", "dsc", "accb"):
        entry = method(key)
        result[key] = table_7_6(key, sites, lambda at, e=entry: e.on_source(at.source, e.params()))
    try:
        import trafilatura
    except ImportError:
        print("  trafilatura is not installed")
    else:

        def by_trafilatura(at):
            text = trafilatura.extract(at.source.html) or ""
            return Extraction(at.source, np.zeros((0, 2), dtype=np.int32), given=text)

        result["trafilatura"] = table_7_6("trafilatura", sites, by_trafilatura)
    for entry in (*DETECTORS, *BOOTSTRAPPED):
        result[entry.key] = table_7_6(
            entry.key, sites, lambda at, e=entry: e.on_site(at, e.params())
        )
    if "trafilatura" in result:
        print(f"  gap of site to trafilatura: {result['site'] - result['trafilatura']:+.3f}")
    best = max(
        value for key, value in result.items() if key not in ("site", "site-boot", "trafilatura")
    )
    assert result["site"] > best
