"""Tests of the account that readers and importers keep."""

from hypothesis import given
from hypothesis import strategies as st

from engine.account import Account
from engine.errors import InputError


def test_a_damaged_item_is_passed_over_with_its_reason_and_the_rest_are_taken():
    account = Account("mark")
    for record in ({"box": 1}, {}, {"box": 2}):
        with account.item("second"):
            _ = record["box"]
            account.take()
    assert (account.found, account.taken) == (3, 2)
    assert account.passed == {"damaged (without 'box')": 1}
    assert account.names == {"damaged (without 'box')": ["second"]}


def test_items_without_a_report_are_counted_as_not_understood():
    account = Account("page")
    with account.item("a.html"):
        pass
    assert account.sentence() == "1 page found: 0 taken; 1 passed over: not understood"


def test_an_item_that_raises_an_input_error_is_passed_over_with_its_message():
    account = Account("page")
    with account.item():
        raise InputError("a redirect")
    assert account.as_json()["passed over"] == {"a redirect": 1}


def test_moved_items_are_reported_as_to_be_confirmed():
    account = Account("mark", taken=2)
    account.move("the lead")
    assert account.sentence() == "3 marks found: 2 taken, 1 to be confirmed"


_OUTCOMES = st.lists(st.sampled_from(("take", "move", "lose", "pass", "raise", "nothing")))


@given(_OUTCOMES, _OUTCOMES)
def test_the_sum_of_an_account_is_the_number_of_items(first, second):
    total = Account("mark")
    for outcomes in (first, second):
        account = Account("mark")
        for outcome in outcomes:
            with account.item(outcome):
                match outcome:
                    case "take":
                        account.take()
                    case "move":
                        account.move()
                    case "lose":
                        account.lose("not on the page")
                    case "pass":
                        account.pass_over("not read")
                    case "raise":
                        raise KeyError("bbox")
        total.add(account)
    assert total.found == len(first) + len(second)
    numbers = total.as_json()
    parts = (numbers["taken"], numbers["moved"], *numbers["lost"].values(),
             *numbers["passed over"].values())  # fmt: skip
    assert sum(parts) == total.found
