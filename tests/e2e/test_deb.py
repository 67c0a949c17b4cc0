"""Test that the package of Debian is whole, and installs, works and goes in a bare system."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engine.shared_libraries import table
from resources import deb
from tests.typed_commands import ROOT

PROFILE = "etc/apparmor.d/pagelet"
UBUNTU = "/usr/share/keyrings/ubuntu-archive-keyring.gpg"
SUITES = {
    "trixie": ["trixie"],
    "noble": ["--components=main,universe", f"--keyring={UBUNTU}", "noble"],
}
MIRRORS = {"trixie": [], "noble": ["http://archive.ubuntu.com/ubuntu", "gutsy"]}

INSIDE = 'mount --rbind "$1" "$1" && cd "$1" && pivot_root . . && umount -l . && shift && exec "$@"'
"""Not chroot: the kernel makes no user namespace in one, and so no sandbox would run."""

is_root_with_debootstrap = (
    sys.platform.startswith("linux") and os.geteuid() == 0 and shutil.which("debootstrap")
)
needs_dpkg = pytest.mark.skipif(not shutil.which("dpkg-deb"), reason="dpkg-deb makes the package")


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """Return the package with an empty program in it, unpacked, with its scripts in DEBIAN."""
    tmp_path = tmp_path_factory.mktemp("small")
    made = tmp_path / "made"
    (made / "bin").mkdir(parents=True)
    (made / "bin" / "pagelet").write_text("#!/bin/sh\n")
    (made / "pagelet").symlink_to("bin/pagelet")
    command = [sys.executable, "-m", "resources.deb", "--of", made, "--to", tmp_path / "to"]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (package,) = (tmp_path / "to").glob("pagelet_*.deb")
    subprocess.run(["dpkg-deb", "--raw-extract", package, tmp_path / "root"], check=True)
    return tmp_path / "root"


@needs_dpkg
def test_the_package_holds_command_menu_profile_and_nothing_in_etc(small):
    assert {each.name for each in small.iterdir()} == {"DEBIAN", "usr"}
    assert (small / "usr/bin/pagelet").resolve() == small / "usr/lib/pagelet/bin/pagelet"
    for name in deb._FILES.values():
        assert (small / name).stat().st_mode & 0o777 == 0o644
    fields = (small / "DEBIAN/control").read_text()
    assert "\nDepends: libc6 (>= " in fields
    for packages in table().values():
        assert " | ".join(packages) in fields
    profile = (small / "usr/share/pagelet/apparmor").read_text()
    assert re.search(r"^profile pagelet /usr/lib/pagelet/.*QtWebEngineProcess.*userns,",
                     profile, re.MULTILINE | re.DOTALL)  # fmt: skip


@needs_dpkg
@pytest.mark.parametrize("name", ["postinst", "prerm", "postrm"])
@pytest.mark.parametrize("word", ["configure", "remove", "purge", "upgrade"])
def test_no_script_fails_where_etc_is_read_only_or_apparmor_missing(small, tmp_path, name, word):
    """Run scripts in folders in place of the system's; the profile cannot be written."""
    etc, tools = tmp_path / "apparmor.d", tmp_path / "tools"
    (etc / "abi").mkdir(parents=True)
    (etc / "abi" / "4.0").touch()
    (etc / "pagelet").mkdir()  # cannot be replaced by a file, not even by root
    (etc / "pagelet" / "pagelet").mkdir()
    tools.mkdir()
    (tools / "apparmor_parser").write_text("#!/bin/sh\nexit 1\n")
    (tools / "apparmor_parser").chmod(0o755)
    script = (small / "DEBIAN" / name).read_text().replace("/etc/apparmor.d", str(etc))
    script = script.replace("/usr/lib/pagelet", str(tmp_path / "gone"))
    for path in ("/usr/bin:/bin", f"{tools}:/usr/bin:/bin"):
        done = subprocess.run(
            ["sh", "-c", script, name, word], env={"PATH": path}, capture_output=True, text=True
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


class System:
    """A bare system in a folder, with the host's devices and processes."""

    def __init__(self, folder, suite):
        self.folder = folder
        ready = os.environ.get(f"PAGELET_BARE_{suite.upper()}")
        if ready:
            subprocess.run(["cp", "-a", f"{ready}/.", folder], check=True)
        else:
            bare = ["debootstrap", "--variant=minbase", "--include=ca-certificates"]
            bare += [*SUITES[suite], folder, *MIRRORS[suite]]
            if subprocess.run(bare, capture_output=True, check=False).returncode:
                pytest.skip(f"the packages of {suite} cannot be had here")
        for name in ("dev", "proc"):
            subprocess.run(["mount", "--rbind", f"/{name}", folder / name], check=True)
            subprocess.run(["mount", "--make-rslave", folder / name], check=True)

    def close(self):
        for name in ("dev", "proc"):
            subprocess.run(["umount", "-R", "-l", self.folder / name], check=True)

    def run(self, *words, user=""):
        environment = ["HOME=/srv", "LANG=C.UTF-8", "QT_QPA_PLATFORM=offscreen"]
        environment += ["PATH=/usr/bin:/bin:/usr/sbin:/sbin", "DEBIAN_FRONTEND=noninteractive"]
        as_user = (
            ("setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups") if user else ()
        )
        done = subprocess.run(
            ["unshare", "--mount", "sh", "-c", INSIDE, "sh", self.folder, *as_user, "env", "-i",
             *environment, *words],
            capture_output=True, text=True, cwd="/", timeout=1800, check=False,
        )  # fmt: skip
        return done.returncode, done.stdout, done.stderr

    def files(self):
        """Return the paths of all files but those of apt, of dpkg and of who runs Pagelet."""
        own = (
            "var/lib/dpkg",
            "var/lib/apt",
            "var/cache/apt",
            "var/log",
            "root/.cache",
            "proc",
            "dev",
            "srv",
            "tmp",
        )
        listed = subprocess.run(
            ["find", ".", "-xdev", "-printf", "%P\n"],
            cwd=self.folder, capture_output=True, text=True, check=True,
        ).stdout.splitlines()  # fmt: skip
        return {name for name in listed if not name.startswith(own)}


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """Return the package that PAGELET_DEB names, else a new one."""
    if given := os.environ.get("PAGELET_DEB"):
        return Path(given)
    folder = tmp_path_factory.mktemp("deb")
    subprocess.run([sys.executable, "-m", "resources.deb", "--to", folder], cwd=ROOT, check=True)
    (made,) = folder.glob("*.deb")
    return made


@pytest.fixture(params=SUITES)
def system(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("bare")
    folder.chmod(0o755)
    result = System(folder, request.param)
    yield result
    result.close()
    shutil.rmtree(folder)


@needs_dpkg
@pytest.mark.long
@pytest.mark.web
@pytest.mark.skipif(not is_root_with_debootstrap, reason="needs root and debootstrap")
@pytest.mark.timeout(7200)
def test_the_package_installs_works_in_the_sandbox_and_goes_without_a_trace(system, package):
    shutil.copy(package, system.folder / "srv" / "pagelet.deb")
    (system.folder / "srv").chmod(0o777)
    shutil.copytree(ROOT / "resources/corpus/news", system.folder / "srv/news")
    assert system.run("apt-get", "update")[0] == 0
    needed = re.sub(r" \(.*?\)", "", subprocess.run(
        ["dpkg-deb", "--field", package, "Depends"], capture_output=True, text=True, check=True
    ).stdout)  # fmt: skip
    status, _, errors = system.run(  # what it needs comes first, so that what it leaves is its own
        "sh", "-c", f"apt-get install -y --no-install-recommends apparmor && "
        f"apt-get satisfy -y --no-install-recommends '{needed.strip()}'"
    )  # fmt: skip
    assert status == 0, errors
    before = system.files()

    status, output, errors = system.run("apt-get", "install", "-y", "/srv/pagelet.deb")
    assert status == 0, output + errors
    assert "pagelet" in system.run("dpkg", "--list", "pagelet")[1]
    assert not re.search("warning|error", errors.lower().replace("debconf", "")), errors
    assert (system.folder / PROFILE).read_text() == (
        system.folder / "usr/share/pagelet/apparmor"
    ).read_text()
    status, _, errors = system.run(
        "apparmor_parser", "--skip-kernel-load", "--skip-cache", f"/{PROFILE}"
    )
    assert status == 0, errors

    status, output, _ = system.run("pagelet", "doctor", user="1000")
    assert status == 0, output
    assert "FIX" not in output
    assert "ok    Sandbox: on, as the process of a page that was rendered shows" in output
    status, output, errors = system.run("pagelet", "doctor")
    assert "Sandbox: off, because it cannot run as root" in output

    page = "/srv/news/index.html"
    status, output, errors = system.run("pagelet", "extract", "gleaner", page, user="1000")
    assert (status, errors) == (0, "")
    assert len(output.split()) > 100
    status, _, errors = system.run(
        "pagelet", "picture", page, "terrain", "--out", "/srv/page.png", user="1000"
    )
    assert status == 0, errors
    assert (system.folder / "srv/page.png").read_bytes().startswith(b"\x89PNG")

    status, output, errors = system.run("apt-get", "purge", "-y", "pagelet")
    assert status == 0, output + errors
    left = sorted(system.files() - before)
    print(json.dumps({"left": left, "gone": sorted(before - system.files())}, indent=1))
    assert left == []
